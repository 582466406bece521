// Instances whose clocks differ: business time is the database's, so an answer after a write shows it, whoever is asked.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../service.ts'
import { assertMade, type ChildService, startChildService } from './child-service.ts'
import { hourMs, openRaces, type Races } from './races-fixture.ts'

// Far more than a slow machine takes for a test, and within what `occurredAt` may be ahead.
const skewMs = 60_000

let races: Races
before(async () => {
  races = await openRaces({ now: null })
})
after(() => races.close())

async function readDatabaseClock({ query }: TestService): Promise<number> {
  const [row] = await query('select (extract(epoch from clock_timestamp()) * 1000)::bigint as now')
  return Number(row?.now)
}

/** Milliseconds may be rounded, and the skew is a minute. */
const assertWithin = (at: number, from: number, to: number) =>
  assert.ok(from - 1_000 <= at && at <= to + 1_000, `${at - from} ms off`)

for (const [side, shiftMs] of [
  ['ahead', skewMs],
  ['behind', -skewMs],
] as const) {
  describe(`an instance whose clock is a minute ${side}`, () => {
    let skewed: ChildService
    before(async () => {
      skewed = await startChildService(races.service, { shiftMs })
    })
    after(() => skewed.close())

    /** The reset lies half-way between the two clocks. */
    const makeCustomer = () =>
      races.makeCustomer('plan', { usageStartedAt: Date.now() - 5 * hourMs + shiftMs / 2 })

    const recordSkewed = async (customerId: string, eventKey: string, more: object = {}) => {
      const event = { customerId, featureKey: 'calls', eventKey, ...more }
      const answer = await skewed.request('POST', '/v1/usage', event)
      assertMade(answer)
      return answer.body
    }

    const usedSkewed = async (customerId: string) =>
      (await skewed.request('GET', `/v1/feature-access?customerId=${customerId}`)).body.calls.usage.used

    it('writes: the other instance shows it', async () => {
      const customerId = await makeCustomer()
      assert.equal((await recordSkewed(customerId, 'a', { amount: 3 })).used, 3)
      assert.equal((await races.entry(customerId)).usage.used, 3)
    })

    it('reads: what the other instance wrote is shown', async () => {
      const customerId = await makeCustomer()
      await races.record(customerId, 'a', { amount: 3 })
      assert.equal(await usedSkewed(customerId), 3)
    })

    it('enforces the limit of the same period', async () => {
      const customerId = await makeCustomer()
      await races.record(customerId, 'a', { amount: 10 })
      const { applied, reason } = await recordSkewed(customerId, 'b', { enforceLimit: true })
      assert.deepEqual([applied, reason], [false, 'limit_reached'])
    })

    it('gives times of the database to what it makes', async () => {
      const from = await readDatabaseClock(races.service)
      const customerId = await makeCustomer()
      const { eventId } = await recordSkewed(customerId, 'a')
      const bonus = { customerId, featureKey: 'calls', amount: 1 }
      const given = await skewed.request('POST', '/v1/bonuses', bonus)
      assertMade(given)
      const made = await skewed.request('POST', '/v1/customers', { customerId: `made-${side}` })
      assertMade(made)
      const to = await readDatabaseClock(races.service)
      const event = await races.request('GET', `/v1/usage/${eventId}`)
      const [row] = await races.service.query('select created_at from customer where customer_id = $1', [
        `made-${side}`,
      ])
      for (const at of [event.body.occurredAt, given.body.bonus.createdAt, row?.created_at])
        assertWithin(Number(at), from, to)
    })

    it('judges an expiry by the time of the database', async () => {
      const customerId = await makeCustomer()
      const expiresAt = (await readDatabaseClock(races.service)) + skewMs / 2
      const bonus = { customerId, featureKey: 'calls', amount: 5, expiresAt }
      assertMade(await skewed.request('POST', '/v1/bonuses', bonus))
      const path = `/v1/feature-access?customerId=${customerId}`
      const seen = [await skewed.request('GET', path), await races.request('GET', path)]
      assert.deepEqual(
        seen.map(({ body }) => body.calls.usage.bonusRemaining),
        [5, 5],
      )
    })

    it('reads the clock as the other does', async () => {
      const from = await readDatabaseClock(races.service)
      const { now } = (await skewed.request('GET', '/v1/test-clock')).body
      assertWithin(now, from, await readDatabaseClock(races.service))
    })
  })
}
