// The laws that what the service shows obeys, whatever happened before; checked without the help of the reference model.
import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'
import { exact } from './reference-arithmetic.ts'

type Usage = {
  used: number
  remaining?: number
  bonusRemaining: number
  bonusUsed: number
  hasReachedLimit: boolean
  nextReset?: number
  lastReset: number
}
type Entry = { hasAccess: boolean; type: string; limit?: number; isUnlimited?: boolean; usage?: Usage }
type Bonus = {
  bonusId: string
  featureKey: string
  amount: number
  remainingAmount: number
  expiresAt?: number
}

export function assertAccessLaws(map: Record<string, Entry>, now: number): void {
  for (const [featureKey, entry] of Object.entries(map)) {
    if (entry.type === 'boolean') assert.deepEqual(Object.keys(entry).sort(), ['hasAccess', 'type'])
    if (!entry.hasAccess && entry.type === 'limit') assert.equal(entry.limit, 0)
    if (entry.usage) assertUsageLaws(featureKey, entry, entry.usage, now)
  }
}

function assertUsageLaws(featureKey: string, entry: Entry, usage: Usage, now: number): void {
  const [used, drawn, left] = [exact(usage.used), exact(usage.bonusUsed), exact(usage.bonusRemaining)]
  assert.ok(used >= 0n && drawn >= 0n && left >= 0n, featureKey)
  assert.ok(usage.lastReset <= now, `${featureKey}: lastReset ≤ now`)
  if (usage.nextReset !== undefined) assert.ok(now < usage.nextReset, `${featureKey}: now < nextReset`)
  if (!entry.hasAccess) {
    assert.deepEqual([usage.remaining, usage.hasReachedLimit], [0, true], featureKey)
    return
  }
  if (entry.isUnlimited) {
    assert.deepEqual(
      [usage.remaining, usage.hasReachedLimit, usage.bonusUsed],
      [undefined, false, 0],
      featureKey,
    )
    return
  }
  const limit = exact(entry.limit as number)
  const planPart = used - drawn < limit ? used - drawn : limit
  const overage = used - drawn - planPart
  assert.ok(planPart >= 0n, `${featureKey}: more is drawn than used`)
  assert.ok(drawn === 0n || planPart === limit, `${featureKey}: a bonus is drawn before the plan is used up`)
  assert.ok(overage === 0n || left === 0n, `${featureKey}: overage while a bonus is left`)
  assert.equal(exact(usage.remaining as number), limit - planPart + left, `${featureKey}: remaining`)
  assert.equal(usage.hasReachedLimit, usage.remaining === 0, featureKey)
}

type Arithmetic = Record<
  'limit' | 'used' | 'planUsed' | 'bonusUsed' | 'overage' | 'planRemaining' | 'bonusRemaining' | 'remaining',
  number
>
type Told = {
  access: Entry
  products: { limit?: number; isUnlimited?: boolean }[]
  bonuses: { drawnInPeriod: number }[]
  arithmetic?: Arithmetic
}

/** An explanation says what the map says, and its numbers add up to it. */
export async function assertExplained(
  customerId: string,
  map: Record<string, Entry>,
  service: TestService,
): Promise<void> {
  for (const [featureKey, entry] of Object.entries(map)) {
    const path = `/v1/feature-access/explain?customerId=${customerId}&featureKey=${featureKey}`
    const told: Told = (await service.request('GET', path)).body
    assert.deepEqual(told.access, entry, `${featureKey}: explained as another entry`)
    assert.equal(told.products.length > 0, entry.hasAccess, featureKey)
    const isUnlimited = told.products.some((product) => product.isUnlimited)
    const total = told.products.reduce((sum, product) => sum + exact(product.limit ?? 0), 0n)
    if (entry.limit !== undefined && !isUnlimited) assert.equal(total, exact(entry.limit), featureKey)
    if (entry.usage) {
      const drawn = told.bonuses.reduce((sum, bonus) => sum + exact(bonus.drawnInPeriod), 0n)
      assert.equal(drawn, exact(entry.usage.bonusUsed), `${featureKey}: what bonuses gave`)
    }
    assert.equal(told.arithmetic !== undefined, entry.hasAccess && entry.usage?.remaining !== undefined)
    if (told.arithmetic) assertSum(featureKey, told.arithmetic, entry.usage as Usage)
  }
}

function assertSum(featureKey: string, sums: Arithmetic, usage: Usage): void {
  const part = (name: keyof Arithmetic) => exact(sums[name])
  for (const name of Object.keys(sums) as (keyof Arithmetic)[])
    assert.ok(part(name) >= 0n, `${featureKey}: ${name}`)
  assert.equal(part('planUsed') + part('bonusUsed') + part('overage'), part('used'), featureKey)
  assert.equal(part('planUsed') + part('planRemaining'), part('limit'), featureKey)
  assert.equal(part('planRemaining') + part('bonusRemaining'), part('remaining'), featureKey)
  assert.deepEqual([sums.used, sums.remaining], [usage.used, usage.remaining], featureKey)
}

/** The same numbers from every endpoint, and every bonus between nothing and all of it. */
export async function assertBonusLaws(
  customer: { customerId: string; featureAccess: Record<string, Entry>; bonuses: Bonus[] },
  service: TestService,
  now: number,
): Promise<void> {
  const { body } = await service.request('GET', `/v1/bonuses?customerId=${customer.customerId}`)
  const bonuses: Bonus[] = body.bonuses
  const leftOf = new Map<string, bigint>()
  for (const { featureKey, amount, remainingAmount, expiresAt } of bonuses) {
    assert.ok(0 <= remainingAmount && remainingAmount <= amount)
    if (expiresAt !== undefined && expiresAt <= now) continue
    leftOf.set(featureKey, (leftOf.get(featureKey) ?? 0n) + exact(remainingAmount))
  }
  for (const [featureKey, { usage }] of Object.entries(customer.featureAccess)) {
    if (usage) assert.equal(exact(usage.bonusRemaining), leftOf.get(featureKey) ?? 0n, featureKey)
  }
  const open = bonuses.filter(
    (each) => each.remainingAmount > 0 && !(each.expiresAt && each.expiresAt <= now),
  )
  assert.deepEqual(
    customer.bonuses.map((each) => each.bonusId).sort(),
    open.map((each) => each.bonusId).sort(),
    'a customer shows the bonuses that can still be drawn on',
  )
}
