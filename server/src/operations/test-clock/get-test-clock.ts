// Reads the clock of the test environment.
import { RequestError } from '../../domain/errors.ts'
import type { Principal } from '../../domain/principal.ts'
import { type Clock, readClock } from '../../storage/catalogue/clock.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function getTestClock({ database }: Services, { principal }: Context): Promise<Clock> {
  checkTestEnvironment(principal)
  return readClock(database.pool, principal.environment)
}

export function checkTestEnvironment({ environment }: Principal): void {
  if (environment === 'test') return
  throw new RequestError('forbidden', 'test_only', 'Only the test environment has a clock that can be set.')
}
