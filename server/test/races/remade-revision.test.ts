// A database whose clock steps back between the deletion of a customer and its making anew: nobody is served the deleted one.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

/** Whatever a new customer's row takes from the clock, it takes from one that went an hour back. */
async function stepBack(): Promise<void> {
  const columns = await races.service.query(
    `select a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
     from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where d.adrelid = 'customer'::regclass and pg_get_expr(d.adbin, d.adrelid) ~ 'clock_timestamp|now\\(\\)'`,
  )
  for (const { name, value } of columns) {
    const earlier = String(value).replaceAll(/(clock_timestamp|now)\(\)/g, `($1() - interval '1 hour')`)
    await races.service.query(`alter table customer alter column ${name} set default ${earlier}`)
  }
}

describe('a customer deleted, and made anew after the clock of the database stepped back', () => {
  it('is served as it is by every instance: reads, limits and bonuses are those of the new one', async () => {
    const customerId = await races.makeCustomer()
    await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 5 })
    for (const instance of [0, 1]) {
      await races.record(customerId, `old-${instance}`, { amount: 5 }, { instance })
      assert.equal((await races.entry(customerId, instance)).usage.used, instance === 0 ? 5 : 10)
    }
    await races.make('DELETE', `/v1/customers/${customerId}`)
    await stepBack()
    await races.make('POST', '/v1/customers', { customerId, customProductKeys: ['plan'] })
    for (const instance of [0, 1]) {
      const { usage } = await races.entry(customerId, instance)
      assert.deepEqual([usage.used, usage.bonusRemaining], [0, 0], `instance ${instance}`)
    }
  })

  it('is written to as it is by every instance, once for every key', async () => {
    const customerId = await races.makeCustomer()
    for (const instance of [0, 1]) {
      await races.record(customerId, 'same', { amount: 9 }, { instance })
      await races.entry(customerId, instance)
    }
    await races.make('DELETE', `/v1/customers/${customerId}`)
    await stepBack()
    await races.make('POST', '/v1/customers', { customerId, customProductKeys: ['plan'] })
    const enforced = { amount: 6, enforceLimit: true }
    const first = await races.record(customerId, 'same', enforced, { instance: 1 })
    assert.deepEqual([first.body.applied, first.body.used], [true, 6])
    for (const instance of [0, 1]) {
      const again = await races.record(customerId, 'same', enforced, { instance })
      assert.equal(again.body.reason, 'duplicate_event')
      const more = await races.record(customerId, `more-${instance}`, enforced, { instance })
      assert.equal(more.body.reason, 'limit_reached')
      assert.equal((await races.entry(customerId, instance)).usage.used, 6)
    }
    assert.deepEqual(await races.audit(customerId), [])
  })
})
