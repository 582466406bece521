// One customer's use of one feature at a moment: what a write to the ledger is decided on. Whatever a decision asks for is at
// hand, or it throws what it lacks.
import { type Allowance, computeAllowance, computePeriodRule } from '../access/allowance.ts'
import { computeRemaining, toUsed } from '../access/feature-access.ts'
import type { HeldProduct } from '../access/held-products.ts'
import { computeUsagePeriod, type Period, type PeriodRule } from '../access/period.ts'
import type { Amount } from '../amount.ts'
import type { Catalogue, Feature } from '../catalogue/catalogue.ts'
import { invalid, quote } from '../errors.ts'
import {
  contains,
  findCounter,
  findOrStartCounter,
  getCounter,
  overlapsOther,
  withCounters,
} from './counters.ts'
import { type Facts, findEvent, instantName, keyName, Lack, type Need } from './facts.ts'
import { applyToBonuses, settle, sumOf } from './settle.ts'
import type { Bonus, CustomerState, Draw } from './state.ts'
import type { UsageEvent } from './usage-event.ts'

/** Everything one batch decides, it decides at one business time and under one catalogue. */
export type Moment = { catalogue: Catalogue; now: number }

export type Account = {
  state: CustomerState
  facts: Facts
  now: number
  feature: Feature
  allowance: Allowance
  rule: PeriodRule
  /** The period that contains now. */
  current: Period
  /** The number of what this write records: its place in the order of the customer's writes. */
  eventNo: number
}

export type Terms = Pick<Account, 'feature' | 'allowance' | 'rule' | 'current'>

export function computeTerms(
  feature: Feature,
  held: readonly HeldProduct[],
  usageStartedAt: number,
  now: number,
): Terms {
  const rule = computePeriodRule(feature, held, usageStartedAt)
  const allowance = computeAllowance(held, feature.featureKey)
  return { feature, allowance, rule, current: computeUsagePeriod(rule, now) }
}

export const periodAt = ({ rule, current }: Pick<Account, 'rule' | 'current'>, at: number): Period =>
  contains(current, at) ? current : computeUsagePeriod(rule, at)

export const totalAt = (account: Account, at: number): Amount =>
  getCounter(account.state, account.feature.featureNo, periodAt(account, at)).total

export const usedAt = (account: Account, at: number): Amount => toUsed(totalAt(account, at))

export function checkTracking({ feature }: Pick<Account, 'feature'>): void {
  if (feature.tracksUsage) return
  throw invalid(
    `featureKey: the feature ${quote(feature.featureKey)} does not track usage.`,
    'feature_not_tracked',
  )
}

/**
 * The account with the counters of the periods around these instants; those of other spans that contain one are there too. Of
 * a time before the state's own, stored counters are not in the state, and must have been brought in.
 */
export function withPeriods(account: Account, instants: readonly number[]): Account {
  const { facts, feature } = account
  let { state } = account
  const needs: Need[] = []
  for (const at of new Set(instants)) {
    const period = periodAt(account, at)
    const isClosed = at < state.asOf && !facts.instants.has(instantName(feature.featureNo, at))
    const counter = isClosed ? undefined : findOrStartCounter(state, feature.featureNo, period)
    if (!counter) needs.push({ kind: 'counter', featureNo: feature.featureNo, at, period })
    else if (!findCounter(state, feature.featureNo, period)) state = withCounters(state, [counter], [])
  }
  if (needs.length > 0) throw new Lack(needs)
  return state === account.state ? account : { ...account, state }
}

/** The event that took a key, undefined when it is free; the key must have been looked up. */
export function getTaken(
  { facts, feature: { featureNo } }: Account,
  keyHash: string,
): UsageEvent | undefined {
  if (!facts.events.has(keyName(featureNo, keyHash))) throw new Lack([{ kind: 'event', featureNo, keyHash }])
  return findEvent(facts, featureNo, keyHash)
}

/** A bonus of the state, or one that is spent or expired, which must have been looked up. */
export function findBonus({ state, facts, feature }: Account, bonusId: string): Bonus | undefined {
  const held = state.bonuses.find((bonus) => bonus.bonusId === bonusId)
  if (!held && !facts.bonuses.has(bonusId)) throw new Lack([{ kind: 'bonus', bonusId }])
  const bonus = held ?? facts.bonuses.get(bonusId)
  return bonus?.featureNo === feature.featureNo ? bonus : undefined
}

/** What is left of the period around an instant; a closed one cannot draw on bonuses. Undefined when unlimited. */
export function computeRemainingAt(account: Account, at: number): Amount | undefined {
  const { state, feature, allowance, now } = account
  const period = periodAt(account, at)
  const counter = getCounter(state, feature.featureNo, period)
  const used = toUsed(counter.total)
  if (!contains(period, now)) return computeRemaining(allowance, used, sumOf(counter.draws), 0n)
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === feature.featureNo)
  const { bonusUsed, bonusRemaining } = settle({ bonuses, ...counter, allowance, now })
  return computeRemaining(allowance, used, bonusUsed, bonusRemaining)
}

/** Draws in the order they were made; a negative amount is one returned. */
export type Moved = { state: CustomerState; moves: readonly Draw[] }

/**
 * Makes the draws of the current period those that its need asks for. A counter of another span that overlaps it leaves
 * the state: which of the moved draws lay in that span is not known here, and a missing counter is computed.
 */
export function settleDraws({ state, feature, allowance, current, now }: Account): Moved {
  const { featureNo } = feature
  const counter = getCounter(state, featureNo, current)
  if (state.bonuses.length === 0 && counter.draws.length === 0) return { state, moves: nothing }
  const bonuses = state.bonuses.filter((bonus) => bonus.featureNo === featureNo)
  const { draws, moves } = settle({ bonuses, ...counter, allowance, now })
  if (moves.length === 0) return { state, moves }
  const counters = state.counters
    .filter((each) => !overlapsOther(each, featureNo, current))
    .map((each) => (each === counter ? { ...counter, draws } : each))
  return { state: { ...state, counters, bonuses: applyToBonuses(state.bonuses, moves) }, moves }
}

const nothing: readonly Draw[] = []
