// Editing a bonus to less than is stored as drawn, where a raised limit has made the draw needless: one change, both at once.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openRaces, type Races } from '../races/races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces()
})
after(() => races.close())

/** Limit 10, bonus 10, used 15: five drawn. Then the limit is raised to 20, which no row of the customer knows of yet. */
async function makeRelieved() {
  const productKey = await races.makePlan(10)
  const customerId = await races.makeCustomer(productKey)
  const given = await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 10 })
  await races.record(customerId, 'e', { amount: 15 })
  assert.equal((await races.entry(customerId)).usage.bonusUsed, 5)
  await races.limitTo(productKey, 20)
  assert.equal((await races.entry(customerId)).usage.bonusUsed, 0)
  return { customerId, productKey, path: `/v1/bonuses/${given.body.bonus.bonusId}` }
}

describe('a bonus whose draws a raised limit has made needless', () => {
  it('can be edited to less than had been drawn', async () => {
    const { customerId, path } = await makeRelieved()
    const { status, body, text } = await races.request('PUT', path, { amount: 3 })
    assert.equal(status, 200, text)
    assert.deepEqual([body.bonus.amount, body.bonus.remainingAmount, body.counterRemaining], [3, 3, 8])
    assert.equal((await races.entry(customerId)).usage.bonusRemaining, 3)
    assert.deepEqual(await races.audit(customerId), [])
  })

  it('can be deleted once a write has returned them, and not before', async () => {
    const { customerId, path } = await makeRelieved()
    assert.equal((await races.request('DELETE', path)).status, 409)
    await races.record(customerId, 'g', { amount: 0 })
    const { status, text } = await races.request('DELETE', path)
    assert.equal(status, 200, text)
    assert.equal((await races.entry(customerId)).usage.bonusRemaining, 0)
    assert.deepEqual(await races.audit(customerId), [])
  })

  it('is drawn on again by the next write once the limit has fallen', async () => {
    const { customerId, productKey, path } = await makeRelieved()
    assert.equal((await races.request('PUT', path, { amount: 6 })).status, 200)
    await races.limitTo(productKey, 10)
    await races.record(customerId, 'f', { amount: 0 })
    const { bonusUsed, bonusRemaining } = (await races.entry(customerId)).usage
    assert.deepEqual([bonusUsed, bonusRemaining], [5, 1])
    assert.deepEqual(await races.audit(customerId), [])
  })
})
