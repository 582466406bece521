// Decisions on single writes to a ledger: what they answer, what they change, and what they refuse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { amountToNumber } from '../../src/domain/amount.ts'
import {
  type Account,
  decideAmend,
  decideDelete,
  decideRecord,
  decideSet,
} from '../../src/domain/ledger/decide-usage.ts'
import type { AmendTask, DeleteTask, RecordTask, SetTask } from '../../src/domain/ledger/task.ts'
import type { UsageEvent } from '../../src/domain/ledger/usage-event.ts'
import {
  bonus,
  catalogue,
  counter,
  feature,
  limited,
  month,
  now,
  spell,
  startedAt,
  state,
  units,
} from './ledger-samples.ts'

const monthBefore = { start: Date.UTC(2025, 11, 10), end: startedAt }

const account = (total: number, more: Partial<Account> = {}, drawn = ''): Account => ({
  state: state({
    counters: [counter(total, drawn), counter(3, '', monthBefore)],
    bonuses: [bonus('a', 5, { drawn: units(drawn ? Number(drawn.slice(1)) : 0) })],
  }),
  feature: feature(),
  allowance: limited(10),
  rule: { interval: 'month', resetAnchor: 'billing_cycle', billingAnchorAt: startedAt },
  now,
  ...more,
})

const common = { customerUid: 'uid', customerId: 'acme', catalogue: catalogue([]), feature: feature(), now }
const keyed = { ...common, keyHash: 'k', eventKey: 'key', metadata: {} }
const record = (amount: number, more: Partial<RecordTask> = {}): RecordTask => ({
  ...keyed,
  kind: 'record',
  amount: units(amount),
  sentOccurredAt: undefined,
  enforceLimit: false,
  ...more,
})
const set = (used: number): SetTask => ({ ...keyed, kind: 'set', used: units(used) })
const caller = { environment: 'test', now } as AmendTask['caller']
const edit = { ...common, caller, eventId: 'evt', eventNo: 7, keyHash: 'k' }
const amend = (patch: Partial<AmendTask['patch']>): AmendTask => ({
  ...edit,
  kind: 'amend',
  patch: { amount: undefined, occurredAt: undefined, eventKey: undefined, metadata: undefined, ...patch },
})
const remove: DeleteTask = { ...edit, kind: 'delete' }
const event = (amount: number, more: Partial<UsageEvent> = {}): UsageEvent => ({
  featureNo: 1,
  keyHash: 'k',
  eventNo: 7,
  occurredAt: now,
  amount: units(amount),
  firstAmount: units(amount),
  sentUsed: undefined,
  sentOccurredAt: undefined,
  eventKey: 'key',
  metadata: {},
  deletedAt: undefined,
  ...more,
})

const totals = (after: { counters: readonly { total: bigint }[] }) =>
  after.counters.map((each) => amountToNumber(each.total))

describe('decideRecord', () => {
  it('adds to the period of the event and tells its total', () => {
    const here = decideRecord(record(4), account(8), undefined, 9)
    assert.deepEqual([totals(here.state), here.outcome.used, here.inserted?.eventNo], [[12, 3], units(12), 9])
    assert.equal(spell(here.moves), 'a2')
    const there = decideRecord(record(4, { sentOccurredAt: startedAt - 1 }), account(8), undefined, 9)
    assert.deepEqual([totals(there.state), there.outcome.used, there.moves], [[8, 7], units(7), []])
  })

  it('first makes the draws that were shown before it, then its own', () => {
    const { moves } = decideRecord(record(-1), account(14), undefined, 9)
    assert.equal(spell(moves), 'a4 a-1')
  })

  it('changes nothing when it is repeated or refused', () => {
    const before = account(8)
    const repeated = decideRecord(record(2), before, event(2), 9)
    assert.deepEqual([repeated.outcome.reason, repeated.outcome.used], ['duplicate_event', units(8)])
    const refused = decideRecord(record(9, { enforceLimit: true }), before, undefined, 9)
    assert.deepEqual([refused.outcome.reason, refused.outcome.event], ['limit_reached', undefined])
    for (const decision of [repeated, refused]) {
      assert.equal(decision.state, before.state)
      assert.deepEqual([decision.moves, decision.inserted], [[], undefined])
    }
  })

  it('knows a key before it looks at tracking or time', () => {
    const off = account(8, { feature: feature({ tracksUsage: false }) })
    assert.equal(decideRecord(record(2), off, event(2), 9).outcome.reason, 'duplicate_event')
    assert.throws(() => decideRecord(record(3), off, event(2), 9), { code: 'event_key_reused' })
    assert.throws(() => decideRecord(record(2), off, undefined, 9), { code: 'feature_not_tracked' })
    const ahead = record(2, { sentOccurredAt: now + 300_001 })
    assert.equal(decideRecord(ahead, account(8), event(2), 9).outcome.applied, false)
    assert.throws(() => decideRecord(ahead, account(8), undefined, 9), { kind: 'invalid' })
  })
})

describe('decideSet', () => {
  it('writes the difference, none and negative ones too', () => {
    for (const [total, used, adjustment] of [
      [8, 12, 4],
      [8, 0, -8],
      [8, 8, 0],
      [-3, 2, 5],
    ] as const) {
      const { inserted, outcome } = decideSet(set(used), account(total), undefined, 9)
      assert.deepEqual([inserted?.amount, outcome.used], [units(adjustment), units(used)])
    }
  })

  it('is repeated by the same value only', () => {
    const taken = event(4, { sentUsed: units(12) })
    assert.equal(decideSet(set(12), account(8), taken, 9).outcome.reason, 'duplicate_event')
    assert.throws(() => decideSet(set(13), account(8), taken, 9), { code: 'event_key_reused' })
    assert.throws(() => decideSet(set(4), account(8), event(4), 9), { code: 'event_key_reused' })
  })
})

describe('decideAmend', () => {
  it('moves what changed between periods', () => {
    const to = amend({ amount: units(1), occurredAt: startedAt - 1 })
    assert.deepEqual(totals(decideAmend(to, account(8), event(2), undefined).state), [6, 4])
  })

  it('looks at the net of a period, so that moving within it is always fine', () => {
    const within = amend({ occurredAt: startedAt })
    assert.deepEqual(totals(decideAmend(within, account(1), event(4), undefined).state), [1, 3])
  })

  it('refuses to leave a period below zero that it lowers, whichever of the two', () => {
    assert.throws(() => decideAmend(amend({ amount: units(1) }), account(1), event(4), undefined), {
      code: 'below_zero',
    })
    const away = amend({ occurredAt: startedAt - 1 })
    assert.throws(() => decideAmend(away, account(1), event(4), undefined), { code: 'below_zero' })
    assert.throws(() => decideAmend(away, account(9), event(-4), undefined), { code: 'below_zero' })
    assert.deepEqual(
      totals(decideAmend(amend({ amount: units(5) }), account(-9), event(4), undefined).state),
      [-8, 3],
    )
  })

  it('knows an event by its number, and a deleted one not at all', () => {
    for (const each of [undefined, event(1, { deletedAt: now }), event(1, { eventNo: 8 })]) {
      assert.throws(() => decideAmend(amend({}), account(8), each, undefined), { kind: 'missing' })
      assert.throws(() => decideDelete(remove, account(8), each), { kind: 'missing' })
    }
  })

  it('refuses a key that another event took, but not its own', () => {
    const patch = { eventKey: { eventKey: 'other', keyHash: 'o' } }
    const strange = event(1, { keyHash: 'x' })
    assert.throws(() => decideAmend(amend(patch), account(8), event(1), strange), {
      code: 'event_key_reused',
    })
    const { updated } = decideAmend(amend(patch), account(8), event(1), event(1))
    assert.deepEqual([updated?.eventKey, updated?.keyHash], ['other', 'k'])
  })

  it('leaves absent fields alone and clears with null', () => {
    const before = event(1, { metadata: { a: 'b' } })
    assert.deepEqual(decideAmend(amend({}), account(8), before, undefined).updated, before)
    const { updated } = decideAmend(amend({ eventKey: null, metadata: {} }), account(8), before, undefined)
    assert.deepEqual([updated?.eventKey, updated?.metadata], [undefined, {}])
  })
})

describe('decideDelete', () => {
  it('takes the event out of its period and returns what it drew', () => {
    const { state: after, moves, updated } = decideDelete(remove, account(14, {}, 'a4'), event(3))
    assert.deepEqual([totals(after), spell(moves), updated?.deletedAt], [[11, 3], 'a-3', now])
  })

  it('never moves a bonus for an event of a closed period', () => {
    const closed = event(3, { occurredAt: startedAt - 1 })
    assert.deepEqual(decideDelete(remove, account(14, {}, 'a4'), closed).moves, [])
  })
})

describe('the periods of an account', () => {
  it('are half-open', () => {
    for (const [at, used] of [
      [month.start - 1, 4],
      [month.start, 9],
    ] as const) {
      const { outcome } = decideRecord(record(1, { sentOccurredAt: at }), account(8), undefined, 9)
      assert.equal(outcome.used, units(used))
    }
  })
})
