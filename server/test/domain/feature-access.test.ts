// The numbers of the map, beside the contract: used, remaining, bonuses, resets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noAllowance } from '../../src/domain/access/allowance.ts'
import {
  computeEntitlements,
  computeFeatureAccess,
  computeRemaining,
  computeUsage,
  computeValidUntil,
  findMisfit,
} from '../../src/domain/access/feature-access.ts'
import { allTime } from '../../src/domain/access/period.ts'
import type { Counter } from '../../src/domain/ledger/state.ts'
import {
  bonus,
  catalogue,
  counter,
  entry,
  feature,
  limited,
  month,
  now,
  product,
  startedAt,
  state,
  units,
  unlimited,
} from './ledger-samples.ts'

describe('computeRemaining', () => {
  const rows: [
    allowed: ReturnType<typeof limited>,
    used: number,
    drawn: number,
    left: number,
    number | undefined,
  ][] = [
    [limited(10), 0, 0, 0, 10],
    [limited(10), 4, 0, 5, 11],
    [limited(10), 10, 0, 5, 5],
    [limited(10), 12, 2, 3, 3],
    [limited(10), 15, 0, 0, 0],
    [limited(10), 8, 2, 0, 4],
    [limited(0), 0, 0, 0, 0],
    [unlimited, 99, 0, 5, undefined],
    [noAllowance, 0, 0, 5, 0],
  ]
  for (const [allowance, used, drawn, left, remaining] of rows) {
    const name = allowance.isUnlimited
      ? 'unlimited'
      : allowance.hasAccess
        ? `limit ${allowance.limit / 1_000_000n}`
        : 'no access'
    it(`${name}, used ${used}, drawn ${drawn}, bonuses ${left}: ${remaining ?? 'none'}`, () => {
      const expected = remaining === undefined ? undefined : units(remaining)
      assert.equal(computeRemaining(allowance, units(used), units(drawn), units(left)), expected)
    })
  }
})

describe('findMisfit', () => {
  const rows: [
    what: string,
    allowed: ReturnType<typeof limited>,
    remaining: number | undefined,
    amount: number,
    misfit: string | undefined,
  ][] = [
    ['what just fits', limited(10), 2, 2, undefined],
    ['what does not fit whole', limited(10), 2, 2.000001, 'limit_reached'],
    ['nothing, at the limit', limited(10), 0, 0, undefined],
    ['anything, unlimited', unlimited, undefined, 1e12, undefined],
    ['giving back, at the limit', limited(10), 0, -1, undefined],
    ['something without access', noAllowance, 0, 1, 'no_access'],
    ['nothing without access', noAllowance, 0, 0, 'no_access'],
    ['giving back without access', noAllowance, 0, -1, undefined],
  ]
  for (const [what, allowance, remaining, amount, misfit] of rows) {
    it(`${what}: ${misfit ?? 'fits'}`, () => {
      const left = remaining === undefined ? undefined : units(remaining)
      assert.equal(findMisfit(allowance, left, units(amount)), misfit)
    })
  }
})

describe('computeUsage', () => {
  const usageOf = (each: Counter, allowance = limited(10), more: Parameters<typeof state>[0] = {}) =>
    computeUsage({ feature: feature(), allowance, period: month }, each, state(more), now)

  it('shows 0 for a sum that a re-sort left below zero', () => {
    assert.deepEqual([usageOf(counter(-3)).used, usageOf(counter(-3)).remaining], [0n, units(10)])
  })

  it('counts the bonuses of its own feature only', () => {
    const bonuses = [bonus('a', 2), bonus('b', 7, { featureNo: 2 })]
    assert.equal(usageOf(counter(11), limited(10), { bonuses }).bonusRemaining, units(1))
  })

  it('never resets: from usageStartedAt, or now when that lies ahead, and to no end', () => {
    const never = feature({ usageResetInterval: 'never' })
    const usage = (usageStartedAt: number) => {
      const { customer } = state()
      const later = state({ customer: { ...customer, usageStartedAt } })
      return computeUsage({ feature: never, allowance: limited(1), period: allTime }, counter(0), later, now)
    }
    assert.deepEqual([usage(startedAt).lastReset, usage(startedAt).nextReset], [startedAt, undefined])
    assert.equal(usage(now + 1).lastReset, now)
  })
})

describe('the map', () => {
  const features = [
    feature(),
    feature({
      featureNo: 2,
      featureKey: 'sso',
      type: 'boolean',
      tracksUsage: false,
      usageResetInterval: 'never',
    }),
    feature({ featureNo: 3, featureKey: 'old', archivedAt: 1, tracksUsage: false }),
    feature({ featureNo: 4, featureKey: 'gone', archivedAt: 1 }),
  ]
  const plan = product('plan', [[entry(10), entry(1, 'old')]])
  const held = state({ assignments: [{ productId: 'plan', version: 1, startedAt }], counters: [counter(4)] })
  const entitlements = computeEntitlements(catalogue([plan], features), held, now)

  it('has every feature that is not archived, and archived ones that are held', () => {
    const keys = computeFeatureAccess(entitlements, held, now).map((each) => each.feature.featureKey)
    assert.deepEqual(keys, ['calls', 'sso', 'old'])
  })

  it('has usage for features that track it', () => {
    const usages = computeFeatureAccess(entitlements, held, now).map((each) => each.usage?.used)
    assert.deepEqual(usages, [units(4), undefined, undefined])
  })

  it('throws rather than guess when a counter was not loaded', () => {
    assert.throws(() => computeFeatureAccess(entitlements, { ...held, counters: [] }, now), /is not at hand/)
  })

  it('stays as it is until the next reset or expiry', () => {
    const access = computeFeatureAccess(entitlements, held, now)
    assert.equal(computeValidUntil(access, held, now), month.end)
    const bonuses = [bonus('a', 1, { expiresAt: now + 7 }), bonus('b', 1, { expiresAt: now })]
    assert.equal(computeValidUntil(access, { ...held, bonuses }, now), now + 7)
    const ahead = { ...held, customer: { ...held.customer, usageStartedAt: now + 9 } }
    assert.equal(computeValidUntil(access, ahead, now), now + 1)
  })
})
