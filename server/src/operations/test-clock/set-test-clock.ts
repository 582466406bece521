// Freezes or frees the clock of the test environment.
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { type Clock, readClock, writeClock } from '../../storage/catalogue/clock.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { checkTestEnvironment } from './get-test-clock.ts'

/** A change of the catalogue, too: whatever was decided by the clock as it was is over before this is answered. */
export async function setTestClock(
  services: Services,
  { principal }: Context,
  frozenAt: number | null,
): Promise<Clock> {
  checkTestEnvironment(principal)
  const { environment } = principal
  const { result } = await services.catalogues.change(environment, async (sql) => {
    const before = await readClock(sql, environment)
    await writeClock(sql, environment, frozenAt)
    const after = await readClock(sql, environment)
    const entry = { action: 'clock.set', subject: 'test-clock', before, after }
    await insertAuditEntry(sql, { principal, now: after.now }, entry)
    return after
  })
  await services.clockMoved(environment)
  return result
}
