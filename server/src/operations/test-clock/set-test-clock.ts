// Freezes or frees the clock of the test environment.
import type { Caller } from '../../domain/caller.ts'
import { RequestError } from '../../domain/errors.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { type Clock, readClock, writeClock } from '../../storage/catalogue/clock.ts'
import type { Services } from '../services.ts'

export async function setTestClock(services: Services, caller: Caller, now: number | null): Promise<Clock> {
  checkEnvironment(caller)
  const clock = await services.database.inTransaction(async (sql) => {
    const before = await readClock(sql, caller.environment)
    const after = await writeClock(sql, caller.environment, now)
    await insertAuditEntry(sql, caller, { action: 'clock.set', subject: 'test-clock', before, after })
    return after
  })
  await services.clockMoved(caller.environment)
  return clock
}

export async function readTestClock({ database }: Services, caller: Caller): Promise<Clock> {
  checkEnvironment(caller)
  return readClock(database.pool, caller.environment)
}

function checkEnvironment(caller: Caller): void {
  if (caller.environment === 'test') return
  throw new RequestError('forbidden', 'test_only', 'Only the test environment has a clock that can be set.')
}
