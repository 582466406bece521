// Freezes or frees the clock of the test environment, and waits until what the new time brings is in force.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../domain/environment.ts'
import { insertAuditEntry } from '../../storage/audit/audit-log.ts'
import { readClock, writeClock } from '../../storage/catalogue/clock.ts'
import { readUnsettledWork } from '../../storage/simulator/unsettled-work.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { checkTestEnvironment, type TestClock } from './get-test-clock.ts'

const waitsAtMostMs = 8_000
const lookEveryMs = 20

/** A change of the catalogue, too: whatever was decided by the clock as it was is over before this is answered. */
export async function setTestClock(
  services: Services,
  { principal }: Context,
  frozenAt: number | null,
): Promise<TestClock> {
  checkTestEnvironment(principal)
  const { environment } = principal
  const deadlineAt = Date.now() + waitsAtMostMs
  const { result } = await services.catalogues.change(environment, async (sql) => {
    const before = await readClock(sql, environment)
    await writeClock(sql, environment, frozenAt)
    const after = await readClock(sql, environment)
    const entry = { action: 'clock.set', subject: 'test-clock', before, after }
    await insertAuditEntry(sql, { principal, now: after.now }, entry)
    return after
  })
  return { ...result, isPending: !(await settle(services, environment, deadlineAt)) }
}

/** Renewals, ends and the webhooks that tell of them; false when time was up before all of it was in force. */
async function settle(
  { clockMoved, database }: Services,
  environment: Environment,
  deadlineAt: number,
): Promise<boolean> {
  const moved = clockMoved(environment)
  // Whatever takes longer goes on by itself.
  await Promise.race([moved, sleep(deadlineAt - Date.now(), undefined, { ref: false })])
  moved.catch(() => {})
  for (;;) {
    const { isPending, isMoving } = await readUnsettledWork(database.pool, environment, deadlineAt)
    if (!isPending || !isMoving || Date.now() + lookEveryMs >= deadlineAt) return !isPending
    await sleep(lookEveryMs)
  }
}
