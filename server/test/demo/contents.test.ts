// What is in the demo data: limits nearly and wholly used up, bonuses, every standing of a subscription, and a ledger that adds up.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { demoCustomers } from '../../src/domain/demo/customers.ts'
import { computeDemoUsage } from '../../src/domain/demo/usage.ts'
import { auditLedger } from '../../src/storage/audit/audit-ledger.ts'
import { openShop, type Shop } from '../billing/shop-fixture.ts'
import { listAll, makeWhole } from './demo-fixture.ts'

const dayMs = 86_400_000

describe('the demo data', () => {
  let shop: Shop
  let customers: Awaited<ReturnType<typeof listAll>>
  before(async () => {
    shop = await openShop({ variables: { TOLLKEEPER_DEMO: '1' } })
    await makeWhole(shop)
    customers = await listAll(shop)
  })
  after(() => shop.close())

  const readAccess = async (customerId: string) =>
    (await shop.get(`/v1/feature-access?customerId=${customerId}`)).body

  it('has customers near and beyond their limits, and many who are neither', async () => {
    const shares = await Promise.all(
      customers.map(async ({ customerId }) => {
        const { limit, usage } = (await readAccess(customerId)).api_calls
        return usage.used / limit
      }),
    )
    assert.ok(shares.filter((share) => share > 1).length >= 3, String(shares))
    assert.ok(shares.filter((share) => share >= 0.8 && share <= 1).length >= 4, String(shares))
    assert.ok(shares.filter((share) => share > 0 && share < 0.8).length >= 20, String(shares))
  })

  it('has a trial, one that leaves, one that is gone, and one whose payment failed', async () => {
    const held = Object.fromEntries(
      customers.map(({ customerId, products }) => [
        customerId,
        products.map(({ key, status, canceledAt }) => [key, status, canceledAt !== null]),
      ]),
    )
    assert.deepEqual(held.lumenlight, [['pro', 'trialing', false]])
    assert.deepEqual(held.oakpress, [['starter', 'active', true]])
    assert.deepEqual(held.driftwood, [['free', 'active', false]])
    assert.deepEqual(held.vantagepoint, [['pro', 'past_due', false]])
    assert.deepEqual(held.northbeam?.map(([key]) => key).sort(), ['ai_pack', 'pro'])
    assert.deepEqual(held.meridian, [['enterprise', 'active', false]])
  })

  it('multiplies the add-on by the units bought', async () => {
    assert.equal((await readAccess('northbeam')).ai_credits.limit, 250 + 2 * 100)
  })

  it('has a bonus that is used up, one that expires soon and one that stays', async () => {
    const list = async (customerId: string) =>
      (await shop.get(`/v1/bonuses?customerId=${customerId}`)).body.bonuses
    const [usedUp] = await list('harborlight')
    assert.deepEqual([usedUp.amount, usedUp.remainingAmount], [1_500, 0])
    const [expiring] = await list('quillworks')
    assert.ok(expiring.expiresAt > Date.now() && expiring.expiresAt < Date.now() + 4 * dayMs)
    const [open] = await list('mapletrail')
    assert.deepEqual([open.amount, open.remainingAmount, open.expiresAt ?? null], [12.5, 12.5, null])
  })

  it('goes back ninety days and no further, quieter at weekends', async () => {
    const [span] = await shop.query(
      'select min(occurred_at) as first, max(occurred_at) as last from usage_event',
    )
    const now = Date.now()
    const { first, last } = span as { first: number; last: number }
    // Seats are taken since a customer is one.
    assert.ok(now - last < dayMs, 'there is usage of today')
    assert.ok(now - first > 89 * dayMs)
    const byDay = await shop.query(
      `select extract(isodow from to_timestamp(e.occurred_at / 1000))::int as day, count(*)::int as events
       from usage_event e join feature f using (feature_no) where f.feature_key = 'exports' group by 1`,
    )
    const eventsOn = (days: number[]) =>
      byDay
        .filter(({ day }) => days.includes(day as number))
        .reduce((sum, { events }) => sum + (events as number), 0) / days.length
    assert.ok(eventsOn([6, 7]) < eventsOn([1, 2, 3, 4, 5]) / 2, JSON.stringify(byDay))
  })

  it('says since when each is a customer, and leaves the clock alone', async () => {
    const now = Date.now()
    for (const { customerId, created } of customers) {
      const { daysAgo } = demoCustomers.find((each) => each.customerId === customerId) ?? { daysAgo: -1 }
      assert.equal(Math.floor((now - created) / dayMs), daysAgo, customerId)
    }
    assert.equal((await shop.get('/v1/test-clock')).body.frozen, false)
  })

  it('adds up: the audit finds no difference', async () => {
    const differences: unknown[] = []
    const { events } = await auditLedger(shop.database.connection, (difference) =>
      differences.push(difference),
    )
    assert.deepEqual(differences, [])
    assert.ok(events > 5_000)
  })

  it('is the same however often it is computed', () => {
    const now = Date.parse('2027-03-04T11:22:33Z')
    for (const customer of demoCustomers) {
      assert.deepEqual(computeDemoUsage(customer, now), computeDemoUsage(customer, now))
      assert.ok(computeDemoUsage(customer, now).every(({ occurredAt }) => occurredAt <= now))
    }
  })
})
