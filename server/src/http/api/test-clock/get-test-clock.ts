// GET /v1/test-clock
import { readTestClock } from '../../../operations/test-clock/set-test-clock.ts'
import { clockSchema } from '../../resources/clock.ts'
import { defineRoute } from '../../route.ts'

export const getTestClockRoute = defineRoute({
  method: 'GET',
  path: '/v1/test-clock',
  tag: 'Test clock',
  summary: 'Read the test environment’s clock',
  responses: { 200: clockSchema },
  errors: [403],
  handle: async ({ caller }, services) => ({ body: await readTestClock(services, caller) }),
})
