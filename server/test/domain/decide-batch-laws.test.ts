// Any tasks in one batch do what they do one by one, and the laws of usage and bonuses hold after every step.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { computeEntitlements, computeUsage } from '../../src/domain/access/feature-access.ts'
import { settleBonuses } from '../../src/domain/access/open-bonuses.ts'
import type { ResetInterval } from '../../src/domain/access/period.ts'
import { type Catalogue, getFeature } from '../../src/domain/catalogue/catalogue.ts'
import { RequestError } from '../../src/domain/errors.ts'
import { amendTask } from '../../src/domain/ledger/amend.ts'
import type { BonusOutcome } from '../../src/domain/ledger/change-bonus.ts'
import { findOrStartCounter, withCounters } from '../../src/domain/ledger/counters.ts'
import { type Decided, decideBatch, listKeys } from '../../src/domain/ledger/decide-batch.ts'
import { deleteTask } from '../../src/domain/ledger/delete.ts'
import { deleteBonusTask } from '../../src/domain/ledger/delete-bonus.ts'
import { noFacts } from '../../src/domain/ledger/facts.ts'
import { giveTask } from '../../src/domain/ledger/give-bonus.ts'
import { recordTask } from '../../src/domain/ledger/record.ts'
import { setTask } from '../../src/domain/ledger/set.ts'
import {
  type Counter,
  type CustomerState,
  isExpired,
  isOpen,
  pruneState,
} from '../../src/domain/ledger/state.ts'
import { sumTask } from '../../src/domain/ledger/sum.ts'
import type { LedgerTask } from '../../src/domain/ledger/task.ts'
import { updateBonusTask } from '../../src/domain/ledger/update-bonus.ts'
import { catalogue, entry, feature, now as firstNow, product, units } from './ledger-samples.ts'
import { computeCounter, emptyStore, type Known, load, lookUp, type Store, save } from './store-sample.ts'
import { holder, origin } from './task-samples.ts'

const hour = 3_600_000
const day = 24 * hour

type Grants = number | 'unlimited' | 'denied'

const features = (interval: ResetInterval) => [
  feature({ usageResetInterval: interval }),
  feature({ featureNo: 2, featureKey: 'mails', featureId: 'g', usageResetInterval: 'never' }),
]

const catalogueOf = (grants: Grants, interval: ResetInterval, revision: number): Catalogue =>
  catalogue([product('plan', [[entry(grants), entry(3, 'mails')]])], features(interval), revision)

// Names are few, so that tasks meet one another; an index that leads nowhere names what is not there.
const featureKey = fc.constantFrom('calls', 'calls', 'calls', 'mails')
const key = fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4')
const amount = fc.integer({ min: -6, max: 12 })
const index = fc.nat(5)
const ago = fc.constantFrom(undefined, undefined, undefined, 0, hour, 20 * day, 40 * day, -60_000, -day)

const recorded = fc.record({
  kind: fc.constant('record'),
  featureKey,
  key,
  amount,
  ago,
  enforce: fc.boolean(),
})
const step = fc.oneof(
  { weight: 4, arbitrary: recorded },
  fc.record({ kind: fc.constant('set'), featureKey, key, used: fc.nat(20) }),
  fc.record({
    kind: fc.constant('amend'),
    index,
    amount: fc.option(amount),
    ago,
    newKey: fc.option(key, { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('delete'), index }),
  fc.record({
    kind: fc.constant('give'),
    featureKey,
    amount: fc.integer({ min: 1, max: 9 }),
    expires: fc.constantFrom(undefined, undefined, hour, 30 * day),
    request: fc.constantFrom(undefined, undefined, 'r0', 'r1'),
  }),
  fc.record({
    kind: fc.constant('update bonus'),
    index,
    amount: fc.option(fc.integer({ min: 1, max: 9 })),
    expires: fc.constantFrom(undefined, null, hour, -hour),
  }),
  fc.record({ kind: fc.constant('delete bonus'), index }),
  fc.record({ kind: fc.constant('sum'), featureKey }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const grants = fc.constantFrom<Grants>(0, 5, 5, 10, 'unlimited', 'denied')
const round = (steps: fc.Arbitrary<Step>) =>
  fc.record({
    steps: fc.array(steps, { maxLength: 6 }),
    later: fc.constantFrom(0, 1, hour, day, 20 * day, 70 * day),
    grants,
    interval: fc.constantFrom<ResetInterval>('month', 'month', 'month', 'day', 'never'),
    /** Whether the next is decided on what storage has, or on the state held. */
    reloads: fc.boolean(),
  })

/** Of what is stored, and of what the tasks before in the batch may have made: the n-th write has the number n. */
function toTask(step: Step, { events, bonuses, customer }: Store, now: number): LedgerTask<unknown> {
  const next = (offset: number) => customer.revision + 1 + offset
  const nameEvent = (at: number) => {
    const event = [...events.values()][at]
    const { featureNo, keyHash, eventNo } = event ?? {
      featureNo: 1,
      keyHash: `k${at}`,
      eventNo: next(at % 3),
    }
    return { eventId: `evt_${keyHash}`, featureNo, keyHash, eventNo }
  }
  const nameBonus = (at: number) => {
    const bonus = [...bonuses.values()][at]
    return bonus ?? { bonusId: bonusIdOf('', next(at % 3)), featureNo: 1 }
  }
  switch (step.kind) {
    case 'record': {
      const { featureKey, key, amount, ago, enforce } = step as Extract<Step, { enforce: boolean }>
      const sentOccurredAt = ago === undefined ? undefined : now - ago
      const named = { featureKey, keyHash: key, eventKey: key, metadata: {} }
      return recordTask(origin, { ...named, amount: units(amount), sentOccurredAt, enforceLimit: enforce })
    }
    case 'set': {
      const { featureKey, key, used } = step as Extract<Step, { used: number }>
      return setTask(origin, { featureKey, keyHash: key, eventKey: key, metadata: {}, used: units(used) })
    }
    case 'amend': {
      const { index, amount, ago, newKey } = step as Extract<Step, { newKey: string | null }>
      return amendTask(origin, nameEvent(index), {
        amount: amount === null ? undefined : units(amount),
        occurredAt: ago === undefined ? undefined : now - ago,
        eventKey: newKey === null ? undefined : { eventKey: newKey, keyHash: newKey },
        metadata: undefined,
      })
    }
    case 'delete':
      return deleteTask(origin, nameEvent((step as { index: number }).index))
    case 'give': {
      const { featureKey, amount, expires, request } = step as Extract<Step, { request: string | undefined }>
      const expiresAt = expires === undefined ? undefined : now + expires
      return giveTask(origin, {
        featureKey,
        bonus: { amount: units(amount), expiresAt, reason: undefined, metadata: {} },
        makeBonusId: bonusIdOf,
        request: request === undefined ? undefined : { keyHash: request, bodyHash: `${amount} ${expires}` },
      })
    }
    case 'update bonus': {
      const { index, amount, expires } = step as Extract<Step, { expires: number | null | undefined }> & {
        index: number
        amount: number | null
      }
      return updateBonusTask(origin, nameBonus(index), {
        amount: amount === null ? undefined : units(amount),
        expiresAt: typeof expires === 'number' ? now + expires : expires,
        reason: undefined,
        metadata: undefined,
      })
    }
    case 'delete bonus':
      return deleteBonusTask(origin, nameBonus((step as { index: number }).index))
    default:
      return sumTask(
        origin,
        getFeature(catalogueOf(0, 'month', 1), (step as { featureKey: string }).featureKey),
      )
  }
}

const bonusIdOf = (_uid: string, eventNo: number): string => `b${String(eventNo).padStart(4, '0')}`

/** As it is done under the customer's lock: what is lacking is looked up until nothing is. */
function decideOn(
  store: Store,
  state: CustomerState,
  tasks: LedgerTask<unknown>[],
  moment: { catalogue: Catalogue; now: number },
): Decided<unknown> {
  let known: Known = { state, facts: noFacts }
  let lacks = listKeys(tasks, moment.catalogue)
  for (let lookUps = 0; lookUps <= 4; lookUps++) {
    known = lookUp(store, known, lacks)
    const result = decideBatch({ ...known, tasks }, moment)
    if ('decided' in result) return result.decided
    lacks = result.lacks
  }
  return assert.fail('what is lacking cannot be looked up')
}

const tell = (outcome: unknown): unknown =>
  outcome instanceof RequestError ? [outcome.code, outcome.message] : outcome

const spanOf = ({ featureNo, period }: Counter): string => `${featureNo}/${period.start}/${period.end}`

/**
 * A state has what was looked up for its tasks, also for those that then failed, so that one of the two may have more counters:
 * that all of them are true is looked at apart. Order means nothing.
 */
function tellState(state: CustomerState, other: CustomerState, now: number) {
  const shared = new Set(other.counters.map(spanOf))
  const counters = state.counters.filter((each) => each.period.end > now && shared.has(spanOf(each)))
  const drawnOn = new Set(counters.flatMap((counter) => counter.draws.map((draw) => draw.bonusId)))
  return {
    ...state,
    counters: counters.toSorted((a, b) => (spanOf(a) < spanOf(b) ? -1 : 1)),
    bonuses: state.bonuses
      .filter((bonus) => isOpen(bonus, now) || drawnOn.has(bonus.bonusId))
      .toSorted((a, b) => (a.bonusId < b.bonusId ? -1 : 1)),
  }
}

/** Counters may be stored or computed anew: that those which are stored are true is looked at apart. */
const tellStore = ({ counters: _, ...rest }: Store) => rest

function checkStore(store: Store): void {
  for (const { featureNo, period, total, draws } of store.counters.values())
    assert.deepEqual({ featureNo, period, total, draws }, computeCounter(store, featureNo, period))
  for (const bonus of store.bonuses.values()) {
    let drawn = 0n
    for (const draw of store.draws) if (draw.bonusId === bonus.bonusId) drawn += draw.amount
    assert.equal(bonus.drawn, drawn)
    assert.ok(bonus.drawn >= 0n && bonus.drawn <= bonus.amount)
  }
}

/** Laws 3, 4 and 5, as the map shows them. */
function checkLaws(state: CustomerState, store: Store, moment: { catalogue: Catalogue; now: number }): void {
  const { catalogue, now } = moment
  for (const counter of state.counters)
    assert.deepEqual(counter, computeCounter(store, counter.featureNo, counter.period))
  for (const bonus of state.bonuses) assert.deepEqual(bonus, store.bonuses.get(bonus.bonusId))
  const entitlements = computeEntitlements(catalogue, state, now)
  for (const tracked of entitlements.tracked) {
    const { feature, allowance, period } = tracked
    const truth = computeCounter(store, feature.featureNo, period)
    const counter = findOrStartCounter(state, feature.featureNo, period)
    if (!counter) continue
    assert.deepEqual(counter, truth)
    const shown = withCounters(state, state.counters.includes(counter) ? [] : [counter], [])
    const usage = computeUsage(tracked, counter, shown, now)
    const bonuses = settleBonuses(tracked, shown, now)
    let left = 0n
    for (const bonus of bonuses) {
      assert.ok(bonus.drawn >= 0n && bonus.drawn <= bonus.amount)
      if (!isExpired(bonus, now)) left += bonus.amount - bonus.drawn
    }
    assert.equal(usage.bonusRemaining, left)
    assert.equal(usage.used, truth.total > 0n ? truth.total : 0n)
    if (!allowance.hasAccess) {
      assert.deepEqual([usage.remaining, usage.hasReachedLimit], [0n, true])
    } else if (allowance.isUnlimited) {
      assert.deepEqual([usage.remaining, usage.hasReachedLimit, usage.bonusUsed], [undefined, false, 0n])
    } else {
      const beyond = usage.used > allowance.limit ? usage.used - allowance.limit : 0n
      const overage = beyond - usage.bonusUsed
      assert.ok(usage.bonusUsed >= 0n && overage >= 0n)
      assert.ok(overage === 0n || left === 0n)
      const ofPlan = allowance.limit - (usage.used - beyond)
      assert.equal(usage.remaining, ofPlan + left)
      assert.equal(usage.hasReachedLimit, usage.remaining === 0n)
    }
  }
}

/** What a bonus's answer says is left is what the map says right after it. */
function checkAnswer(
  outcome: unknown,
  state: CustomerState,
  { catalogue, now }: { catalogue: Catalogue; now: number },
): void {
  if (
    outcome instanceof RequestError ||
    typeof outcome !== 'object' ||
    !outcome ||
    !('counterRemaining' in outcome)
  )
    return
  const { featureKey, counterRemaining } = outcome as BonusOutcome
  const tracked = computeEntitlements(catalogue, state, now).tracked.find(
    (each) => each.feature.featureKey === featureKey,
  )
  const counter = tracked && findOrStartCounter(state, tracked.feature.featureNo, tracked.period)
  if (tracked && counter) assert.equal(computeUsage(tracked, counter, state, now).remaining, counterRemaining)
}

describe('any tasks in one batch', () => {
  it('do what they do one by one, and all laws hold after each', () => {
    fc.assert(
      fc.property(fc.array(round(step), { maxLength: 5 }), (rounds) => {
        let state = holder({ revision: 1 })
        let store = emptyStore(state)
        let now = firstNow
        for (const [turn, { steps, later, grants, interval, reloads }] of rounds.entries()) {
          now += later
          if (reloads) state = load(store, state, now)
          const moment = { catalogue: catalogueOf(grants, interval, turn + 1), now }
          const tasks = steps.map((each) => toTask(each, store, now))
          const batch = decideOn(store, state, tasks, moment)
          const after = save(store, batch.change)

          let [stateAlone, storeAlone] = [state, store]
          const outcomesAlone: unknown[] = []
          for (const task of tasks) {
            const alone = decideOn(storeAlone, stateAlone, [task], moment)
            const [outcome] = alone.outcomes
            storeAlone = save(storeAlone, alone.change)
            stateAlone = alone.state
            outcomesAlone.push(tell(outcome))
            checkStore(storeAlone)
            checkLaws(stateAlone, storeAlone, moment)
            if (alone.change.log.length > 0) checkAnswer(outcome, stateAlone, moment)
          }
          assert.deepEqual(batch.outcomes.map(tell), outcomesAlone)
          assert.deepEqual(tellStore(after), tellStore(storeAlone))
          if (tasks.length > 0) {
            const { state: together } = batch
            assert.deepEqual(tellState(together, stateAlone, now), tellState(stateAlone, together, now))
          }
          checkStore(after)
          checkLaws(batch.state, after, moment)
          state = pruneState(batch.state, now)
          store = after
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('never go over the limit where each is enforced, nothing is edited and the limit stays', () => {
    fc.assert(
      fc.property(fc.array(fc.array(recorded, { maxLength: 8 }), { maxLength: 4 }), (rounds) => {
        let state = holder({ revision: 1 })
        let store = emptyStore(state)
        const moment = { catalogue: catalogueOf(5, 'month', 1), now: firstNow }
        for (const steps of rounds) {
          const tasks = steps.map((each) => toTask({ ...each, enforce: true }, store, firstNow))
          const { change, state: after } = decideOn(store, state, tasks, moment)
          store = save(store, change)
          state = after
          for (const { featureNo, total } of state.counters)
            assert.ok(total <= units(featureNo === 1 ? 5 : 3), `${total}`)
        }
      }),
    )
  })
})
