// Tasks of one customer for tests: what is not named has no meaning. The customer holds `plan`, which gives 10 calls a month.
import assert from 'node:assert/strict'
import type { Catalogue } from '../../src/domain/catalogue/catalogue.ts'
import { RequestError } from '../../src/domain/errors.ts'
import { amendTask, type EventPatch } from '../../src/domain/ledger/amend.ts'
import type { LedgerChange } from '../../src/domain/ledger/change.ts'
import { type Decided, decideBatch } from '../../src/domain/ledger/decide-batch.ts'
import { deleteTask } from '../../src/domain/ledger/delete.ts'
import { deleteBonusTask } from '../../src/domain/ledger/delete-bonus.ts'
import { type Facts, instantName, keyName, type Need, noFacts } from '../../src/domain/ledger/facts.ts'
import { type GiveInput, giveTask } from '../../src/domain/ledger/give-bonus.ts'
import { type RecordInput, recordTask } from '../../src/domain/ledger/record.ts'
import { setTask } from '../../src/domain/ledger/set.ts'
import type { Bonus, CustomerState } from '../../src/domain/ledger/state.ts'
import type { LedgerTask, TaskOrigin } from '../../src/domain/ledger/task.ts'
import { type BonusPatch, updateBonusTask } from '../../src/domain/ledger/update-bonus.ts'
import type { UsageEvent } from '../../src/domain/ledger/usage-event.ts'
import { catalogue, entry, feature, now, product, startedAt, state, units } from './ledger-samples.ts'

export const origin: TaskOrigin = {
  principal: { environment: 'test', actor: 'tester', scope: 'full', requestId: undefined },
  customerHash: 'hash',
  customerId: 'acme',
  now,
}

export const plan = (grants: Parameters<typeof entry>[0] = 10, features = [feature()]): Catalogue =>
  catalogue([product('plan', [[entry(grants)]])], features, 7)

export const holder = (more: Partial<CustomerState> = {}): CustomerState =>
  state({ assignments: [{ productId: 'plan', version: 1, startedAt }], ...more })

/** The hash of a key is the key itself. */
export const record = (keyHash: string, amount: number, more: Partial<RecordInput> = {}) =>
  recordTask(origin, {
    featureKey: 'calls',
    keyHash,
    eventKey: keyHash,
    metadata: {},
    amount: units(amount),
    sentOccurredAt: undefined,
    enforceLimit: false,
    ...more,
  })

export const set = (keyHash: string, used: number) =>
  setTask(origin, { featureKey: 'calls', keyHash, eventKey: keyHash, metadata: {}, used: units(used) })

/** Recorded with the key `k` as the customer's seventh write. */
export const event = (amount: number, more: Partial<UsageEvent> = {}): UsageEvent => ({
  featureNo: 1,
  keyHash: 'k',
  eventNo: 7,
  occurredAt: now,
  amount: units(amount),
  firstAmount: units(amount),
  sentUsed: undefined,
  sentOccurredAt: undefined,
  eventKey: 'k',
  metadata: {},
  deletedAt: undefined,
  ...more,
})

const nameOf = ({ keyHash = 'k', eventNo = 7, featureNo = 1 }: Partial<UsageEvent>) => ({
  eventId: `evt_${keyHash}`,
  featureNo,
  keyHash,
  eventNo,
})

export const amend = (patch: Partial<EventPatch>, of: Partial<UsageEvent> = {}) =>
  amendTask(origin, nameOf(of), {
    amount: undefined,
    occurredAt: undefined,
    eventKey: undefined,
    metadata: undefined,
    ...patch,
  })

export const remove = (of: Partial<UsageEvent> = {}) => deleteTask(origin, nameOf(of))

export const give = (amount: number, more: Partial<Bonus> = {}, request?: GiveInput['request']) =>
  giveTask(origin, {
    featureKey: 'calls',
    bonus: { amount: units(amount), expiresAt: undefined, reason: undefined, metadata: {}, ...more },
    makeBonusId: (_uid, eventNo) => `b${eventNo}`,
    request,
  })

export const changeBonus = (bonusId: string, patch: Partial<BonusPatch>, featureNo = 1) =>
  updateBonusTask(
    origin,
    { bonusId, featureNo },
    { amount: undefined, expiresAt: undefined, reason: undefined, metadata: undefined, ...patch },
  )

export const takeBonus = (bonusId: string, featureNo = 1) => deleteBonusTask(origin, { bonusId, featureNo })

/** Events by the keys that lead to them, undefined for a key that is free; and instants whose counters are in the state. */
export const facts = (
  events: Record<string, UsageEvent | undefined>,
  instants: number[] = [],
  more: Partial<Facts> = {},
): Facts => ({
  ...noFacts,
  events: new Map(Object.entries(events).map(([key, each]) => [keyName(1, key), each])),
  instants: new Set(instants.map((at) => instantName(1, at))),
  ...more,
})

type Options = { facts?: Facts; catalogue?: Catalogue; now?: number }

export function decide<Outcome>(
  before: CustomerState,
  tasks: readonly LedgerTask<Outcome>[],
  options: Options = {},
): Decided<Outcome> {
  const moment = { catalogue: options.catalogue ?? plan(), now: options.now ?? now }
  const result = decideBatch({ state: before, facts: options.facts ?? noFacts, tasks }, moment)
  if ('lacks' in result) assert.fail(`it lacks ${JSON.stringify(result.lacks)}`)
  return result.decided
}

export function lacksOf(
  before: CustomerState,
  tasks: readonly LedgerTask<unknown>[],
  options: Options = {},
): Need[] {
  const moment = { catalogue: options.catalogue ?? plan(), now: options.now ?? now }
  const result = decideBatch({ state: before, facts: options.facts ?? noFacts, tasks }, moment)
  assert.ok('lacks' in result, 'it lacks nothing')
  return result.lacks
}

type DecidedOne<Outcome> = { state: CustomerState; change: LedgerChange; outcome: Outcome }

/** One task alone; its failure is thrown. */
export function decideOne<Outcome>(
  before: CustomerState,
  task: LedgerTask<Outcome>,
  options: Options = {},
): DecidedOne<Outcome> {
  const decided = decide(before, [task], options)
  const [outcome] = decided.outcomes
  if (outcome instanceof RequestError) throw outcome
  return { state: decided.state, change: decided.change, outcome: outcome as Outcome }
}
