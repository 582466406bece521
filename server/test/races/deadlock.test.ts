// A deadlock with a stranger, in a transaction of several locks: it is tried again, and the caller hears nothing of it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../service.ts'
import { holdLock, waitForWaiters } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces()
})
after(() => races.close())

type Rows = [sql: string, values: unknown[]]

/**
 * The stranger has what the service takes second, and asks for what the service has by then. It is in no hurry to look for
 * deadlocks, so the service is the one who finds it and loses.
 */
async function cross(act: () => Promise<Answer>, second: Rows, first: Rows): Promise<Answer> {
  const { service } = races
  const stranger = await holdLock(service, `set local deadlock_timeout = '60s'`)
  await stranger.query(...second)
  const acting = act()
  // A service that needs no second lock is through already.
  await Promise.race([acting, waitForWaiters(service, 1)])
  await stranger.query(...first)
  await stranger.release()
  return acting
}

const customer = (customerId: string): Rows => [
  'select from customer where customer_id = $1 for update',
  [customerId],
]
const environment: Rows = [`select from environment where environment = 'test' for update`, []]

describe('a deadlock with a stranger is not seen by the caller of', () => {
  it('a migration of several customers', async () => {
    const productKey = await races.makePlan(10)
    const ids = [await races.makeCustomer(productKey), await races.makeCustomer(productKey)]
    await races.make('POST', `/v1/products/${productKey}/versions`)
    const rows = await races.service.query(
      'select customer_id from customer where customer_id = any($1) order by customer_uid',
      [ids],
    )
    const [first, second] = rows.map((row) => String(row.customer_id)) as [string, string]
    const migrate = () => races.request('POST', `/v1/products/${productKey}/migrate`)
    const { status, body, text } = await cross(migrate, customer(second), customer(first))
    assert.equal(status, 200, text)
    assert.equal(body.migrated, 2)
  })

  it('a change of a feature', async () => {
    const feature: Rows = [`select from feature where feature_key = 'calls' for update`, []]
    const rename = () => races.request('PUT', '/v1/features/calls', { name: 'Renamed' })
    const { status, body, text } = await cross(rename, feature, environment)
    assert.equal(status, 200, text)
    assert.equal(body.feature.name, 'Renamed')
  })

  it('a change of a limit', async () => {
    const productKey = await races.makePlan(10)
    const entries: Rows = [
      `select from feature_access_entry where product_id =
         (select product_id from product where product_key = $1) for update`,
      [productKey],
    ]
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 7 }]
    const change = () => races.request('PUT', `/v1/products/${productKey}/feature-access`, { featureAccess })
    const { status, text } = await cross(change, entries, environment)
    assert.equal(status, 200, text)
    assert.equal((await races.entry(await races.makeCustomer(productKey))).limit, 7)
  })

  it('a deletion of a customer', async () => {
    const customerId = await races.makeCustomer()
    await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 1 })
    const bonus: Rows = [
      `select from bonus where customer_uid = (select customer_uid from customer where customer_id = $1) for update`,
      [customerId],
    ]
    const remove = () => races.request('DELETE', `/v1/customers/${customerId}`)
    const { status, text } = await cross(remove, bonus, customer(customerId))
    assert.equal(status, 200, text)
    assert.equal((await races.request('GET', `/v1/customers/${customerId}`)).body, null)
  })

  it('an edit of a bonus', async () => {
    const customerId = await races.makeCustomer()
    const given = await races.make('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 1 })
    const { bonusId } = given.body.bonus
    const bonus: Rows = ['select from bonus where bonus_id = $1 for update', [bonusId]]
    const edit = () => races.request('PUT', `/v1/bonuses/${bonusId}`, { amount: 4 })
    const { status, text } = await cross(edit, bonus, customer(customerId))
    assert.equal(status, 200, text)
    assert.equal((await races.entry(customerId)).usage.bonusRemaining, 4)
    assert.deepEqual(await races.audit(customerId), [])
  })

  it('a recording for several customers', async () => {
    const ids = [await races.makeCustomer(), await races.makeCustomer()]
    for (const customerId of ids) await races.record(customerId, 'before')
    const rows = await races.service.query(
      'select customer_id from customer where customer_id = any($1) order by customer_uid',
      [ids],
    )
    const [first, second] = rows.map((row) => String(row.customer_id)) as [string, string]
    const events = ids.map((customerId) => ({ customerId, featureKey: 'calls', eventKey: 'e' }))
    const record = () => races.request('POST', '/v1/usage/batch', { events })
    const { status, body, text } = await cross(record, customer(second), customer(first))
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.results.map((item: { result: { applied: boolean } }) => item.result.applied),
      [true, true],
    )
  })
})
