// Reads the clock of the test environment.
import { RequestError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { type Clock, readClock } from '../../storage/catalogue/clock.ts'
import { readUnsettledWork } from '../../storage/simulator/unsettled-work.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

/** `isPending`: not all that its time brings is in force. */
export type TestClock = Clock & { isPending: boolean }

export async function getTestClock({ database }: Services, { principal }: Context): Promise<TestClock> {
  checkTestEnvironment(principal)
  const { environment } = principal
  const clock = await readClock(database.pool, environment)
  const { isPending } = await readUnsettledWork(database.pool, environment, Date.now())
  return { ...clock, isPending }
}

export function checkTestEnvironment({ environment }: Principal): void {
  if (environment === 'test') return
  throw new RequestError('forbidden', 'test_only', 'Only the test environment has a clock that can be set.')
}
