// What holds when nothing is under way: the audit finds nothing, both instances answer alike, used is the sum of the listed
// events, and the laws hold.
import assert from 'node:assert/strict'
import { auditLedger, type Difference } from '../../src/storage/audit/audit-ledger.ts'
import type { TestService } from '../service.ts'
import type { AnsweredCall } from './call-operations.ts'
import type { Sender } from './concurrent-round.ts'
import { assertAccessLaws, assertBonusLaws, assertExplained } from './model-laws.ts'
import type { Step } from './model-steps.ts'
import { exact, max, sum } from './reference-arithmetic.ts'

type Usage = { used: number; lastReset: number; nextReset?: number }
type Event = { featureKey: string; amount: number; occurredAt: number }

export async function assertCleanAudit(service: TestService): Promise<void> {
  const differences: Difference[] = []
  await auditLedger(service.database.connection, (difference) => differences.push(difference))
  const told = differences.map(
    ({ check, at, stored, expected }) => `${check} of ${at}: ${stored}, not ${expected}`,
  )
  assert.ok(told.length === 0, `the audit found differences: ${told.join('; ')}`)
}

/** Reads everything of a customer from both instances; the reads are part of the history. */
export async function readAtRest(sender: Sender, customerId: string): Promise<AnsweredCall[]> {
  const doings = ['read customer', 'read access', 'list bonuses', 'list usage'] as const
  const reads: AnsweredCall[] = []
  for (const doing of doings) {
    const pair = await Promise.all(
      [0, 1].map((instance) =>
        sender.take({ do: doing, customerId } as Step, customerId, 'at rest', instance),
      ),
    )
    const [one, other] = pair as [AnsweredCall, AnsweredCall]
    assert.deepEqual(one.answer.body, other.answer.body, `${customerId}: the instances differ at rest`)
    reads.push(one, other)
  }
  return reads
}

/** `reads` are those of one customer at rest. */
export async function assertLaws(service: TestService, reads: AnsweredCall[], now: number): Promise<void> {
  const bodyOf = (path: RegExp) => reads.find(({ call }) => path.test(call.path))?.answer.body
  const customer = bodyOf(/customers/)
  if (!customer) return
  assertAccessLaws(customer.featureAccess, now)
  assert.deepEqual(bodyOf(/feature-access/), customer.featureAccess)
  await assertBonusLaws(customer, service, now)
  await assertExplained(customer.customerId, customer.featureAccess, service)
  assertSums(customer.featureAccess, await listAll(service, customer.customerId))
}

async function listAll(service: TestService, customerId: string): Promise<Event[]> {
  const events: Event[] = []
  let cursor = ''
  do {
    const { body } = await service.request('GET', `/v1/usage?customerId=${customerId}&limit=100${cursor}`)
    events.push(...body.events)
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return events
}

export function assertSums(map: Record<string, { usage?: Usage }>, listed: Event[]): void {
  for (const [featureKey, { usage }] of Object.entries(map)) {
    if (!usage) continue
    const events = listed
      .filter((event) => event.featureKey === featureKey)
      .filter(({ occurredAt }) => isWithin(usage, occurredAt))
    const total = sum(events.map(({ amount }) => exact(amount)))
    assert.equal(exact(usage.used), max(0n, total), `${featureKey}: used is not the sum of the listed events`)
  }
}

const isWithin = ({ lastReset, nextReset }: Usage, at: number) =>
  nextReset === undefined || (lastReset <= at && at < nextReset)
