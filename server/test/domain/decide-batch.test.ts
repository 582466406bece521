// Decisions on writes to a ledger, alone and several in one batch: what they answer, what they change, and what they refuse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { amountToNumber, maxAmount } from '../../src/domain/amount.ts'
import { RequestError } from '../../src/domain/errors.ts'
import { isEmpty, isPlain, type LedgerChange } from '../../src/domain/ledger/change.ts'
import { decideBatch, listKeys } from '../../src/domain/ledger/decide-batch.ts'
import { noFacts } from '../../src/domain/ledger/facts.ts'
import type { CustomerState } from '../../src/domain/ledger/state.ts'
import { sumTask } from '../../src/domain/ledger/sum.ts'
import { bonus, counter, feature, month, now, spell, startedAt, units } from './ledger-samples.ts'
import {
  amend,
  changeBonus,
  decide,
  decideOne,
  event,
  facts,
  give,
  holder,
  lacksOf,
  origin,
  plan,
  record,
  remove,
  set,
  takeBonus,
} from './task-samples.ts'

const monthBefore = { start: Date.UTC(2025, 11, 10), end: startedAt }
const closed = startedAt - 1

/** A total in this month with what was drawn for it from the bonus `a` of 5, and 3 in the month before. */
const account = (total: number, drawn = '', more: Partial<CustomerState> = {}): CustomerState =>
  holder({
    revision: 8,
    counters: [counter(total, drawn), counter(3, '', monthBefore)],
    bonuses: [bonus('a', 5, { drawn: units(drawn ? Number(drawn.slice(1)) : 0) })],
    ...more,
  })

const untracked = plan(10, [feature({ tracksUsage: false })])

const totals = ({ counters }: Pick<CustomerState, 'counters'>) =>
  counters.map((each) => amountToNumber(each.total))
const drawn = ({ bonuses }: CustomerState) => bonuses.map((each) => amountToNumber(each.drawn))
const codes = (outcomes: readonly unknown[]) =>
  outcomes.map((outcome) => (outcome instanceof RequestError ? outcome.code : undefined))

/** Draws that are new and the amounts that are given back. */
const moved = ({ drawn: fresh, returned }: LedgerChange) => [
  spell(fresh),
  returned.map(({ amount }) => amountToNumber(amount)),
]

describe('recording', () => {
  it('adds to the period of the event and tells its total', () => {
    const here = decideOne(account(8), record('e', 4))
    assert.deepEqual([totals(here.state), here.outcome.used], [[12, 3], units(12)])
    assert.deepEqual([here.outcome.event?.eventNo, here.state.revision], [9, 9])
    assert.deepEqual([moved(here.change), drawn(here.state)], [['a2', []], [2]])
    const known = facts({}, [closed])
    const there = decideOne(account(8), record('e', 4, { sentOccurredAt: closed }), { facts: known })
    assert.deepEqual([totals(there.state), there.outcome.used], [[8, 7], units(7)])
    assert.deepEqual(moved(there.change), ['', []])
  })

  it('writes the event, its counters and draws, and nothing else', () => {
    const { change, state } = decideOne(account(8), record('e', 4))
    const { insertedEvents, counters, drawnBonuses } = change
    assert.deepEqual(
      insertedEvents.map((each) => [each.keyHash, each.amount, each.occurredAt]),
      [['e', units(4), now]],
    )
    assert.deepEqual(totals({ counters }), [12])
    assert.deepEqual(drawnBonuses, state.bonuses)
    assert.deepEqual(change.drawn, [
      { featureNo: 1, drawnAt: now, eventNo: 9, position: 0, bonusId: 'a', amount: units(2) },
    ])
    assert.deepEqual([change.revision, change.nextRevision], [8, 9])
    assert.deepEqual([change.freeKeys, change.log], [[], []])
    assert.deepEqual([isPlain(change), isEmpty(change)], [true, false])
  })

  it('tells when the customer last had an event and of which features', () => {
    const first = decideOne(holder(), record('e', 1))
    assert.deepEqual([first.change.lastEventAt, first.change.usedFeatures], [now, [1]])
    assert.deepEqual([first.state.customer.lastEventAt, first.state.customer.usedFeatures], [now, [1]])
    const next = decideOne(first.state, record('f', 1), { now: now + 5 })
    assert.deepEqual([next.change.lastEventAt, next.change.usedFeatures], [now + 5, undefined])
    const earlier = decideOne(next.state, record('g', 1, { sentOccurredAt: now }), { now: now + 6 })
    assert.equal(earlier.change.lastEventAt, now + 5)
  })

  it('first makes the draws that were shown before it, then its own', () => {
    const { change, state } = decideOne(account(14), record('e', -1))
    assert.deepEqual([moved(change), drawn(state)], [['a3', []], [3]])
  })

  it('changes nothing when it is repeated or refused', () => {
    const before = account(8)
    const repeated = decideOne(before, record('k', 2), { facts: facts({ k: event(2) }) })
    assert.deepEqual([repeated.outcome.reason, repeated.outcome.used], ['duplicate_event', units(8)])
    const refused = decideOne(before, record('e', 9, { enforceLimit: true }))
    assert.deepEqual([refused.outcome.reason, refused.outcome.event], ['limit_reached', undefined])
    for (const { change, state } of [repeated, refused]) {
      assert.deepEqual([isEmpty(change), isPlain(change)], [true, true])
      assert.deepEqual([change.insertedEvents, moved(change)], [[], ['', []]])
      assert.deepEqual([state.revision, state.counters, state.bonuses], [8, before.counters, before.bonuses])
    }
  })

  it('has a key confirmed that it took to be free and did not take', () => {
    const before = account(8)
    const refused = record('e', 9, { enforceLimit: true })
    assert.deepEqual(decideOne(before, refused).change.freeKeys, [{ featureNo: 1, keyHash: 'e' }])
    const looked = { facts: facts({ e: undefined }) }
    assert.deepEqual(decideOne(before, refused, looked).change.freeKeys, [])
    const failed = decide(before, [record('e', 1)], { catalogue: untracked })
    assert.deepEqual(failed.change.freeKeys, [{ featureNo: 1, keyHash: 'e' }])
  })

  it('knows a key before it looks at tracking or time', () => {
    const before = account(8)
    const taken = facts({ k: event(2) })
    const off = { catalogue: untracked }
    assert.equal(
      decideOne(before, record('k', 2), { ...off, facts: taken }).outcome.reason,
      'duplicate_event',
    )
    assert.throws(() => decideOne(before, record('k', 3), { ...off, facts: taken }), {
      code: 'event_key_reused',
    })
    assert.throws(() => decideOne(before, record('k', 2), off), { code: 'feature_not_tracked' })
    const ahead = record('k', 2, { sentOccurredAt: now + 300_001 })
    assert.equal(decideOne(before, ahead, { facts: taken }).outcome.applied, false)
    assert.throws(() => decideOne(before, ahead), { kind: 'invalid' })
  })

  it('of an unknown feature fails alone', () => {
    const { outcomes, change } = decide(account(8), [
      record('e', 1, { featureKey: 'stranger' }),
      record('f', 1),
    ])
    assert.deepEqual(codes(outcomes), ['feature_not_found', undefined])
    assert.deepEqual([change.insertedEvents.length, change.freeKeys], [1, []])
  })

  it('refuses 0 without access when enforced, and takes it when not', () => {
    const off = { catalogue: plan('denied') }
    const enforced = decideOne(account(8), record('e', 0, { enforceLimit: true }), off)
    assert.deepEqual([enforced.outcome.applied, enforced.outcome.reason], [false, 'no_access'])
    assert.equal(decideOne(account(8), record('e', 0), off).outcome.applied, true)
  })
})

describe('setting', () => {
  it('writes the difference, none and negative ones too', () => {
    for (const [total, used, adjustment] of [
      [8, 12, 4],
      [8, 0, -8],
      [8, 8, 0],
      [-3, 2, 5],
    ] as const) {
      const { change, outcome } = decideOne(account(total), set('s', used))
      const [inserted] = change.insertedEvents
      assert.deepEqual(
        [inserted?.amount, inserted?.sentUsed, outcome.used],
        [units(adjustment), units(used), units(used)],
      )
    }
  })

  it('is repeated by the same value only', () => {
    const before = account(8)
    const taken = { facts: facts({ k: event(4, { sentUsed: units(12) }) }) }
    assert.equal(decideOne(before, set('k', 12), taken).outcome.reason, 'duplicate_event')
    assert.throws(() => decideOne(before, set('k', 13), taken), { code: 'event_key_reused' })
    const recorded = { facts: facts({ k: event(4) }) }
    assert.throws(() => decideOne(before, set('k', 4), recorded), { code: 'event_key_reused' })
  })

  it('adjusts what the tasks before it in the batch left', () => {
    const { outcomes, change } = decide(account(8), [record('e', 5), set('s', 6), record('f', 1)])
    assert.deepEqual(
      outcomes.map((outcome) => 'used' in outcome && amountToNumber(outcome.used)),
      [13, 6, 7],
    )
    assert.equal(change.insertedEvents[1]?.amount, units(-7))
  })

  it('brings back a total that lies beyond the range, but adjusts one within it by no more than an amount', () => {
    const beyond = decideOne(account(2e12), set('s', 5))
    assert.deepEqual([totals(beyond.state)[0], beyond.change.insertedEvents[0]?.amount], [5, units(5 - 2e12)])
    assert.throws(() => decideOne(account(-1), set('s', 1e12)), { code: 'total_out_of_range' })
  })
})

describe('amending', () => {
  const of = (amount: number, more: Parameters<typeof event>[1] = {}, keys = {}) => ({
    facts: facts({ k: event(amount, more), ...keys }, [closed, startedAt]),
  })

  it('moves what changed between periods', () => {
    const to = amend({ amount: units(1), occurredAt: closed })
    const { state, change } = decideOne(account(8), to, of(2))
    assert.deepEqual(
      [totals(state), totals(change)],
      [
        [6, 4],
        [6, 4],
      ],
    )
    assert.deepEqual([isPlain(change), change.nextRevision], [false, 9])
  })

  it('looks at the net of a period, so that moving within it is always fine', () => {
    assert.deepEqual(totals(decideOne(account(1), amend({ occurredAt: startedAt }), of(4)).state), [1, 3])
  })

  it('refuses to leave a period below zero that it lowers, whichever of the two', () => {
    const refuses = (total: number, amount: number, patch: Parameters<typeof amend>[0]) =>
      assert.throws(() => decideOne(account(total), amend(patch), of(amount)), { code: 'below_zero' })
    refuses(1, 4, { amount: units(1) })
    refuses(1, 4, { occurredAt: closed })
    refuses(9, -4, { occurredAt: closed })
    assert.deepEqual(totals(decideOne(account(-9), amend({ amount: units(5) }), of(4)).state), [-8, 3])
  })

  it('may lower a total beyond the range, but not raise it', () => {
    const lowered = decideOne(account(2e12), amend({ amount: units(1) }), of(2))
    assert.equal(totals(lowered.state)[0], 2e12 - 1)
    assert.throws(() => decideOne(account(2e12), amend({ amount: units(3) }), of(2)), {
      code: 'total_out_of_range',
    })
    assert.throws(() => decideOne(account(1e12), amend({ amount: units(3) }), of(2)), {
      code: 'total_out_of_range',
    })
  })

  it('knows an event by its number, and a deleted one not at all', () => {
    for (const each of [undefined, event(1, { deletedAt: now }), event(1, { eventNo: 8 })]) {
      const found = { facts: facts({ k: each }) }
      assert.throws(() => decideOne(account(8), amend({}), found), { kind: 'missing' })
      assert.throws(() => decideOne(account(8), remove(), found), { kind: 'missing' })
    }
  })

  it('refuses a key that another event took, but not its own', () => {
    const patch = { eventKey: { eventKey: 'other', keyHash: 'o' } }
    assert.throws(() => decideOne(account(8), amend(patch), of(1, {}, { o: event(1, { keyHash: 'x' }) })), {
      code: 'event_key_reused',
    })
    const { change, outcome } = decideOne(account(8), amend(patch), of(1, {}, { o: event(1) }))
    assert.deepEqual([outcome.after.eventKey, outcome.after.keyHash], ['other', 'k'])
    assert.deepEqual(change.aliases, [])
  })

  it('takes a further key that is free', () => {
    const patch = { eventKey: { eventKey: 'other', keyHash: 'o' } }
    const { change } = decideOne(account(8), amend(patch), of(1, {}, { o: undefined }))
    assert.deepEqual(
      change.aliases.map(({ keyHash, event: each }) => [keyHash, each.keyHash]),
      [['o', 'k']],
    )
  })

  it('leaves absent fields alone and clears with null', () => {
    const before = event(1, { metadata: { a: 'b' } })
    const found = { facts: facts({ k: before }) }
    assert.deepEqual(decideOne(account(8), amend({}), found).change.updatedEvents, [before])
    const { after } = decideOne(account(8), amend({ eventKey: null, metadata: {} }), found).outcome
    assert.deepEqual([after.eventKey, after.metadata], [undefined, {}])
  })

  it('is told to the log with what was and what is', () => {
    const { change } = decideOne(account(8), amend({ amount: units(5) }), of(2))
    const [entry] = change.log
    assert.deepEqual([entry?.principal, entry?.at], [origin.principal, now])
    const after = event(5, { firstAmount: units(2) })
    assert.deepEqual(entry?.entry, { action: 'usage.amend', subject: 'evt_k', before: event(2), after })
  })
})

describe('deleting', () => {
  it('takes the event out of its period and returns what it drew', () => {
    const { state, change, outcome } = decideOne(account(14, 'a4'), remove(), {
      facts: facts({ k: event(3) }),
    })
    assert.deepEqual([totals(state), moved(change), drawn(state)], [[11, 3], ['', [3]], [1]])
    assert.deepEqual([outcome.after.deletedAt, isPlain(change)], [now, false])
    assert.equal(change.log[0]?.entry.action, 'usage.delete')
  })

  it('never moves a bonus for an event of a closed period', () => {
    const found = facts({ k: event(3, { occurredAt: closed }) }, [closed])
    assert.deepEqual(moved(decideOne(account(14, 'a4'), remove(), { facts: found }).change), ['', []])
  })
})

describe('giving a bonus', () => {
  it('covers overage at once and tells what is left', () => {
    const { state, change, outcome } = decideOne(account(17, 'a5'), give(4))
    assert.deepEqual([outcome.bonus.bonusId, outcome.bonus.drawn], ['b9', units(2)])
    assert.deepEqual([outcome.counterRemaining, moved(change), drawn(state)], [units(2), ['b92', []], [5, 2]])
    assert.deepEqual([change.insertedBonuses, change.drawnBonuses], [[outcome.bonus], []])
    assert.deepEqual([isPlain(change), change.log[0]?.entry.action], [false, 'bonus.create'])
  })

  it('leaves what is left untold while unlimited', () => {
    const off = { catalogue: plan('unlimited') }
    assert.equal(decideOne(account(17), give(4), off).outcome.counterRemaining, undefined)
  })

  it('refuses one that has expired already', () => {
    assert.throws(() => decideOne(account(0), give(4, { expiresAt: now })), { kind: 'invalid' })
  })

  it('is answered again for the same key and body, and refused for another body', () => {
    const request = { keyHash: 'r', bodyHash: 'body' }
    const free = facts({}, [], { requests: new Map([['r', undefined]]) })
    const first = decideOne(account(17, 'a5'), give(4, {}, request), { facts: free })
    const [kept] = first.change.requests
    assert.ok(kept)
    const known = { facts: facts({}, [], { requests: new Map([['r', kept]]) }) }
    const again = decideOne(first.state, give(4, {}, request), known)
    assert.deepEqual([again.outcome, isEmpty(again.change)], [first.outcome, true])
    assert.throws(() => decideOne(first.state, give(4, {}, { ...request, bodyHash: 'x' }), known), {
      code: 'idempotency_key_reused',
    })
  })

  it('twice with one key in one batch gives one', () => {
    const request = { keyHash: 'r', bodyHash: 'body' }
    const free = { facts: facts({}, [], { requests: new Map([['r', undefined]]) }) }
    const tasks = [give(4, {}, request), give(4, {}, request), give(9, {}, { ...request, bodyHash: 'x' })]
    const { change, outcomes } = decide(account(0), tasks, free)
    assert.equal(change.insertedBonuses.length, 1)
    assert.equal(change.requests.length, 1)
    assert.deepEqual(outcomes[1], outcomes[0])
    assert.deepEqual(codes(outcomes), [undefined, undefined, 'idempotency_key_reused'])
  })
})

describe('updating a bonus', () => {
  it('may not go below what is drawn, as answers show it', () => {
    assert.throws(() => decideOne(account(13), changeBonus('a', { amount: units(2) })), {
      code: 'bonus_drawn',
    })
    const { outcome, change } = decideOne(account(13), changeBonus('a', { amount: units(3) }))
    assert.deepEqual([outcome.bonus.amount, outcome.bonus.drawn], [units(3), units(3)])
    assert.deepEqual([change.updatedBonuses, change.drawnBonuses], [[outcome.bonus], []])
    assert.deepEqual([moved(change), change.log[0]?.entry.action], [['a3', []], 'bonus.update'])
  })

  it('may go below what was drawn once a raised limit has returned it', () => {
    const raised = { catalogue: plan(12) }
    const { outcome, change } = decideOne(account(15, 'a5'), changeBonus('a', { amount: units(3) }), raised)
    assert.deepEqual([outcome.bonus.amount, outcome.bonus.drawn], [units(3), units(3)])
    assert.deepEqual([moved(change), outcome.counterRemaining], [['', [2]], 0n])
    assert.deepEqual(change.updatedBonuses, [outcome.bonus])
  })

  it('draws further for overage when it grows', () => {
    const { state, change, outcome } = decideOne(account(17, 'a5'), changeBonus('a', { amount: units(6) }))
    assert.deepEqual([moved(change), drawn(state), outcome.counterRemaining], [['a1', []], [6], 0n])
  })

  it('leaves absent fields alone and clears with null', () => {
    const full = bonus('a', 5, { expiresAt: now + 9, reason: 'r', metadata: { m: 'n' } })
    const before = account(0, '', { bonuses: [full] })
    const kept = decideOne(before, changeBonus('a', {}), { now: now + 1 }).outcome.bonus
    assert.deepEqual(kept, { ...full, updatedAt: now + 1 })
    const cleared = changeBonus('a', { expiresAt: null, reason: null, metadata: null })
    const { expiresAt, reason, metadata } = decideOne(before, cleared).outcome.bonus
    assert.deepEqual([expiresAt, reason, metadata], [undefined, undefined, {}])
    assert.throws(() => decideOne(before, changeBonus('a', { expiresAt: now })), { kind: 'invalid' })
  })

  it('finds one that is spent or expired where it was looked up, and none of another feature', () => {
    const spent = bonus('z', 2, { drawn: units(2) })
    const found = facts({}, [], { bonuses: new Map([['z', spent]]) })
    const { state } = decideOne(account(17, 'a5'), changeBonus('z', { amount: units(3) }), { facts: found })
    assert.deepEqual(drawn(state), [5, 3])
    const elsewhere = account(0, '', { bonuses: [bonus('a', 5, { featureNo: 2 })] })
    for (const task of [changeBonus('a', {}), takeBonus('a')])
      assert.throws(() => decideOne(elsewhere, task), { kind: 'missing' })
    const gone = { facts: facts({}, [], { bonuses: new Map([['y', undefined]]) }) }
    for (const task of [changeBonus('y', {}), takeBonus('y')])
      assert.throws(() => decideOne(account(0), task, gone), { code: 'bonus_not_found' })
  })
})

describe('deleting a bonus', () => {
  it('that nothing was drawn from', () => {
    const { state, change, outcome } = decideOne(account(8), takeBonus('a'))
    assert.deepEqual([state.bonuses, change.deletedBonusIds], [[], ['a']])
    assert.deepEqual([outcome.counterRemaining, change.log[0]?.entry.action], [units(2), 'bonus.delete'])
  })

  it('conflicts while it is drawn on, as stored or as shown', () => {
    const refuses = (before: CustomerState, catalogue = plan()) =>
      assert.throws(() => decideOne(before, takeBonus('a'), { catalogue }), { code: 'bonus_drawn' })
    refuses(account(13, 'a3'))
    refuses(account(13))
    // Unlimited shows nothing drawn, but the draw is stored until a write returns it.
    refuses(account(13, 'a3'), plan('unlimited'))
  })

  it('takes it from everybody behind in the batch', () => {
    const stored = facts({}, [], { bonuses: new Map([['a', bonus('a', 5)]]) })
    const { outcomes, state, change } = decide<unknown>(
      account(8),
      [takeBonus('a'), changeBonus('a', { amount: units(9) }), takeBonus('a'), record('e', 7)],
      { facts: stored },
    )
    assert.deepEqual(codes(outcomes), [undefined, 'bonus_not_found', 'bonus_not_found', undefined])
    assert.deepEqual([state.bonuses, change.deletedBonusIds, moved(change)], [[], ['a'], ['', []]])
    assert.equal(change.log.length, 1)
  })
})

describe('storing a sum', () => {
  const ledger = { ...holder().customer, lastEventAt: now, usedFeatures: [1] }

  it('writes the counter that was computed, and nothing else', () => {
    const computed = counter(12)
    const { change } = decideOne(
      holder({ customer: ledger, counters: [computed] }),
      sumTask(origin, feature()),
      { facts: facts({}, [], { computed: new Set([computed]) }) },
    )
    assert.deepEqual([change.counters, change.insertedEvents, change.log], [[computed], [], []])
    assert.deepEqual([isEmpty(change), isPlain(change), change.lastEventAt], [false, true, now])
  })

  it('lacks the counter where it is not known', () => {
    assert.deepEqual(lacksOf(holder({ customer: ledger }), [sumTask(origin, feature())]), [
      { kind: 'counter', featureNo: 1, at: now, period: month },
    ])
  })

  it('leaves a feature that tracks no usage alone', () => {
    const { change } = decideOne(holder({ customer: ledger }), sumTask(origin, feature()), {
      catalogue: untracked,
    })
    assert.deepEqual(change.counters, [])
  })
})

describe('what a decision lacks', () => {
  it('is told for all tasks at once, and then nothing is decided', () => {
    const needs = lacksOf(account(8), [
      record('fine', 1),
      amend({ eventKey: { eventKey: 'o', keyHash: 'o' } }),
      remove({ keyHash: 'l' }),
      record('back', 1, { sentOccurredAt: closed }),
      changeBonus('z', {}),
      give(1, {}, { keyHash: 'r', bodyHash: '' }),
    ])
    assert.deepEqual(needs, [
      { kind: 'event', featureNo: 1, keyHash: 'k' },
      { kind: 'event', featureNo: 1, keyHash: 'l' },
      { kind: 'counter', featureNo: 1, at: closed, period: monthBefore },
      { kind: 'bonus', bonusId: 'z' },
      { kind: 'request', keyHash: 'r' },
    ])
  })

  it('is the further key of an amendment once its event is known', () => {
    const task = amend({ eventKey: { eventKey: 'o', keyHash: 'o' } })
    assert.deepEqual(lacksOf(account(8), [task], { facts: facts({ k: event(1) }) }), [
      { kind: 'event', featureNo: 1, keyHash: 'o' },
    ])
  })

  it('is never a guess: a repeated event of a closed period needs that period’s counter', () => {
    const taken = { facts: facts({ k: event(1, { occurredAt: closed }) }) }
    assert.deepEqual(lacksOf(account(8), [record('k', 1)], taken), [
      { kind: 'counter', featureNo: 1, at: closed, period: monthBefore },
    ])
  })

  it('includes no key of a new event: the write itself proves it to be free', () => {
    const tasks = [record('e', 1), set('s', 1), record('x', 1, { featureKey: 'stranger' }), remove()]
    decide<unknown>(account(8), tasks.slice(0, 2))
    assert.deepEqual(listKeys(tasks, plan()), [
      { kind: 'event', featureNo: 1, keyHash: 'e' },
      { kind: 'event', featureNo: 1, keyHash: 's' },
    ])
  })
})

describe('several tasks in one batch', () => {
  it('take one number each, in order, and failures and refusals take none', () => {
    const { outcomes, change, state } = decide(account(0), [
      record('a', 1),
      record('b', 99, { enforceLimit: true }),
      record('c', 2),
      record('d', 1, { featureKey: 'stranger' }),
      record('e', 3),
    ])
    assert.deepEqual(
      change.insertedEvents.map((each) => [each.keyHash, each.eventNo]),
      [
        ['a', 9],
        ['c', 10],
        ['e', 11],
      ],
    )
    assert.deepEqual(
      outcomes.map((outcome) => 'used' in outcome && amountToNumber(outcome.used)),
      [1, 1, 3, false, 6],
    )
    assert.deepEqual([change.nextRevision, state.revision, totals(state)], [11, 11, [6, 3]])
  })

  it('with the same key count once, and another body is told so', () => {
    const { outcomes, change } = decide(account(0), [
      record('e', 2),
      record('e', 2),
      record('e', 3),
      set('e', 2),
    ])
    const [first, second] = outcomes
    assert.ok(first && 'event' in first && second && 'event' in second)
    assert.deepEqual([second.applied, second.reason, second.event], [false, 'duplicate_event', first.event])
    assert.deepEqual(codes(outcomes.slice(2)), ['event_key_reused', 'event_key_reused'])
    assert.deepEqual([change.insertedEvents.length, change.freeKeys], [1, []])
  })

  it('take a key that an earlier one was refused with', () => {
    const { outcomes, change } = decide(account(8), [record('e', 9, { enforceLimit: true }), record('e', 9)])
    assert.deepEqual(
      outcomes.map((outcome) => 'applied' in outcome && outcome.applied),
      [false, true],
    )
    assert.equal(change.insertedEvents.length, 1)
  })

  it('amend an event and then delete it', () => {
    const { outcomes, change, state } = decide(
      account(8),
      [amend({ amount: units(5) }), remove(), amend({ amount: units(6) }), remove()],
      { facts: facts({ k: event(2) }) },
    )
    assert.deepEqual(codes(outcomes), [
      undefined,
      undefined,
      'usage_event_not_found',
      'usage_event_not_found',
    ])
    assert.deepEqual(totals(state), [6, 3])
    const [written, ...others] = change.updatedEvents
    assert.deepEqual([others, written?.amount, written?.deletedAt], [[], units(5), now])
    assert.deepEqual(
      change.log.map(({ entry }) => entry.action),
      ['usage.amend', 'usage.delete'],
    )
  })

  it('meet an event under a further key that it was given just before', () => {
    const renamed = amend({ eventKey: { eventKey: 'o', keyHash: 'o' }, amount: units(5) })
    const { outcomes, change } = decide<unknown>(account(8), [renamed, remove(), record('o', 2)], {
      facts: facts({ k: event(2), o: undefined }),
    })
    const last = outcomes[2] as { reason: string; event: { deletedAt: number } }
    assert.deepEqual([last.reason, last.event.deletedAt], ['duplicate_event', now])
    assert.deepEqual(change.insertedEvents, [])
  })

  it('draw on a bonus that was given just before, and it is written as it is in the end', () => {
    const { outcomes, change, state } = decide<unknown>(account(10, '', { bonuses: [] }), [
      give(4),
      record('e', 3, { enforceLimit: true }),
      record('f', 2, { enforceLimit: true }),
    ])
    const reasons = outcomes.slice(1).map((outcome) => (outcome as { reason: unknown }).reason)
    assert.deepEqual(reasons, [undefined, 'limit_reached'])
    assert.deepEqual([change.insertedBonuses, change.drawnBonuses], [state.bonuses, []])
    assert.deepEqual([drawn(state), moved(change)], [[3], ['b93', []]])
    const first = outcomes[0] as { bonus: { drawn: bigint } }
    assert.equal(first.bonus.drawn, 0n)
  })

  it('give back what they drew themselves before anything stored', () => {
    const { change, state } = decide(account(12, 'a2'), [record('e', 2), record('f', -3)])
    assert.deepEqual([moved(change), drawn(state)], [['', [1]], [1]])
    assert.deepEqual(
      change.returned.map(({ featureNo, period }) => [featureNo, period]),
      [[1, month]],
    )
    const kept = decide(account(12, 'a2'), [record('e', 2), record('f', -1)]).change
    assert.deepEqual([moved(kept), kept.drawn[0]?.eventNo], [['a1', []], 9])
    assert.equal(isPlain(kept), true)
  })

  it('edit a bonus after draws were returned in the same batch', () => {
    const { outcomes, change, state } = decide<unknown>(
      account(15, 'a5'),
      [remove(), changeBonus('a', { amount: units(3) }), record('e', 9)],
      { facts: facts({ k: event(4) }) },
    )
    assert.deepEqual(codes(outcomes), [undefined, undefined, undefined])
    assert.deepEqual(
      change.updatedBonuses.map((each) => [each.amount, each.drawn]),
      [[units(3), units(3)]],
    )
    assert.deepEqual([change.updatedBonuses, change.drawnBonuses], [state.bonuses, []])
    // Five were stored; four went back and two were drawn anew.
    assert.deepEqual(moved(change), ['a2', [4]])
  })

  it('are of one instant, whenever each was admitted', () => {
    const late = { ...record('late', 1), now: now + 99 }
    const { change } = decide(account(0), [record('early', 1), late], { now: now + 50 })
    assert.deepEqual(
      change.insertedEvents.map((each) => each.occurredAt),
      [now + 50, now + 50],
    )
  })

  it('leave the state they were decided on alone', () => {
    const before = account(12, 'a2')
    const copy = structuredClone(before)
    decide<unknown>(before, [record('e', 2), give(3), record('f', -3)])
    assert.deepEqual(before, copy)
  })
})

describe('the state after a batch', () => {
  it('is of the catalogue that it was decided under', () => {
    assert.equal(decideOne(account(8), record('e', 1)).state.catalogueRevision, plan().revision)
    const refused = decideOne(account(8), record('e', 99, { enforceLimit: true })).state
    assert.equal(refused.catalogueRevision, plan().revision)
  })

  it('cannot be had from one that is later than the moment', () => {
    const later = account(8, '', { asOf: now + 1 })
    const moment = { catalogue: plan(), now }
    assert.throws(
      () => decideBatch({ state: later, facts: noFacts, tasks: [record('e', 1)] }, moment),
      /cannot decide at/,
    )
  })

  it('cannot be had where a drawn bonus is absent: the draw would be lost in silence', () => {
    const torn = account(14, 'a4', { bonuses: [] })
    assert.throws(() => decide(torn, [record('e', -2)]), /the bonus a was drawn on and is not at hand/)
  })

  it('has no counter of another span where draws moved, and the change says which', () => {
    const day = { start: Date.UTC(2026, 0, 17), end: Date.UTC(2026, 0, 18) }
    const before = account(9, '', { counters: [counter(9), counter(4, '', day)] })
    const plain = decideOne(before, record('e', 1))
    assert.deepEqual([totals(plain.state), plain.change.overlapped], [[10, 5], []])
    const { state, change } = decideOne(before, record('e', 3))
    assert.deepEqual([totals(state), change.overlapped], [[12], [{ featureNo: 1, period: month }]])
    assert.equal(isPlain(change), false)
  })
})

describe('the periods of an account', () => {
  it('are half-open', () => {
    for (const [at, used] of [
      [month.start - 1, 4],
      [month.start, 9],
    ] as const) {
      const { outcome } = decideOne(account(8), record('e', 1, { sentOccurredAt: at }), {
        facts: facts({}, [at]),
      })
      assert.equal(outcome.used, units(used))
    }
  })
})

describe('a total beyond the range of amounts', () => {
  it('may be lowered but not raised, by whatever kind of task', () => {
    const beyond = account(2e12)
    const found = { facts: facts({ k: event(2), n: event(-2, { keyHash: 'n' }) }) }
    const raising = [record('e', 1), amend({ amount: units(3) }), remove({ keyHash: 'n' })]
    const lowering = [record('e', -1), amend({ amount: units(1) }), remove(), set('s', 7)]
    assert.deepEqual(
      codes(decide<unknown>(beyond, raising, found).outcomes),
      raising.map(() => 'total_out_of_range'),
    )
    for (const task of lowering) {
      const { state } = decideOne<unknown>(beyond, task, found)
      assert.ok((state.counters[0]?.total ?? maxAmount) < units(2e12))
    }
  })
})
