// The test environment's clock: freeze it, turn it, free it.
import type { Call } from '../call.ts'
import type { TestClock } from '../generated/api.ts'
import type { CallOptions } from '../options.ts'

export function createTestClock(call: Call) {
  return {
    async get(options?: CallOptions): Promise<TestClock> {
      return (await call('GET /v1/test-clock', {}, options)).answer
    },

    /** Freezes the clock at an instant, or frees it with null. */
    async set(now: number | null, options?: CallOptions): Promise<TestClock> {
      return (await call('PUT /v1/test-clock', { body: { now } }, options)).answer
    },
  }
}
