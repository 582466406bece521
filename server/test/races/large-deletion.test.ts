// Deleting a customer with very many events: quick to answer, its id free at once, nobody else held up, and the rows gone in the end.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually, holdLock, waitForWaiters } from './held-lock.ts'
import { noon, openRaces, type Races } from './races-fixture.ts'

const events = 200_000
// A second is promised.
const promisedMs = 1_000

let races: Races
let large: string
let others: string[]
before(async () => {
  races = await openRaces({ instances: 2 })
  large = await races.makeCustomer()
  others = []
  for (let n = 0; n < 10; n++) others.push(await races.makeCustomer())
  for (const customerId of [large, ...others]) await races.record(customerId, 'first')
  await races.make('POST', '/v1/bonuses', { customerId: large, featureKey: 'calls', amount: 5 })
  await races.service.query(
    `insert into usage_event (customer_uid, feature_no, key_hash, event_no, occurred_at, amount, event_key, metadata)
     select c.customer_uid, f.feature_no, gen_random_uuid(), c.revision - n, $2::bigint - n * 1000, 1, 'bulk-' || n, '{}'
     from customer c, feature f, generate_series(1, $3::int) n
     where c.customer_id = $1 and f.feature_key = 'calls'`,
    [large, noon, events],
  )
  // The rows came beside the service: sums of the hours they lie in are forgotten, so that they are made anew.
  await races.service.query(
    `delete from usage_counter where customer_uid = (select customer_uid from customer where customer_id = $1)`,
    [large],
  )
})
after(() => races.close())

const findUid = async () =>
  (await races.service.query('select customer_uid from customer where customer_id = $1', [large]))[0]
    ?.customer_uid

const holdEvent = (customerId: string, eventKey: string) =>
  holdLock(
    races.service,
    `select from usage_event where event_key = $2 and customer_uid =
       (select customer_uid from customer where customer_id = $1) for update`,
    [customerId, eventKey],
  )

describe(`a customer with ${events} events`, () => {
  it('is deleted within a second, its id is new at once with fresh keys, and others go on meanwhile', async () => {
    const uid = await findUid()
    let isOver = false
    let slowestMs = 0
    let count = 0
    const writing = others.map(async (customerId) => {
      while (!isOver) {
        const startedAt = performance.now()
        assert.equal((await races.record(customerId, `meanwhile-${++count}`, { amount: 0 })).status, 200)
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      }
    })
    const startedAt = performance.now()
    const deleted = await races.request('DELETE', `/v1/customers/${large}`)
    const tookMs = performance.now() - startedAt
    assert.equal(deleted.status, 200, deleted.text)

    await races.make('POST', '/v1/customers', {
      customerId: large,
      usageStartedAt: noon,
      customProductKeys: ['plan'],
    })
    for (const instance of [0, 1]) {
      const { usage } = await races.entry(large, instance)
      assert.deepEqual([usage.used, usage.bonusRemaining], [0, 0])
    }
    const again = await races.record(large, 'first', { amount: 2 }, { instance: 1 })
    assert.deepEqual([again.body.applied, again.body.used], [true, 2])
    const bulk = await races.record(large, 'bulk-1', { amount: 1, occurredAt: noon - 1_000 })
    assert.deepEqual([bulk.body.applied, bulk.body.used], [true, 1])
    const { body } = await races.request('GET', `/v1/usage?customerId=${large}`)
    assert.equal(body.events.length, 2)
    isOver = true
    await Promise.all(writing)

    await eventually(
      () =>
        races.service.query('select count(*)::int as count from usage_event where customer_uid = $1', [uid]),
      // Where the id made anew keeps its place, its own two are there.
      ([row]) => assert.ok(Number(row?.count) <= 2, `${row?.count} rows are left`),
      90_000,
      200,
    )
    assert.equal((await races.entry(large)).usage.used, 2)
    assert.deepEqual(await races.audit(), [])
    const times = { tookMs, slowestMs }
    for (const [name, ms] of Object.entries(times))
      assert.ok(ms < promisedMs, `${name}: ${Math.round(ms)} ms`)
  })
  // On the code before, deleting 200,000 events took 0.4 s here: the time does not show that every row is touched, a row that
  // cannot be touched does.
  it('is deleted without a touch of its events: one that a stranger holds is not waited for', async () => {
    const customerId = await races.makeCustomer()
    await races.record(customerId, 'held')
    const lock = await holdEvent(customerId, 'held')
    try {
      const { status, text } = await races.request('DELETE', `/v1/customers/${customerId}`)
      assert.equal(status, 200, text)
      await races.make('POST', '/v1/customers', { customerId, customProductKeys: ['plan'] })
      const { body } = await races.record(customerId, 'held', { amount: 4 })
      assert.deepEqual([body.applied, body.used], [true, 4])
    } finally {
      await lock.release()
    }
    await eventually(
      () => races.service.query(`select count(*)::int as count from usage_event where event_key = 'held'`),
      ([row]) => assert.equal(row?.count, 1),
      90_000,
      200,
    )
    assert.equal((await races.entry(customerId)).usage.used, 4)
  })
  it('that is written to while its deletion takes long holds up nobody else', async () => {
    const customerId = await races.makeCustomer()
    await races.record(customerId, 'slow')
    const lock = await holdEvent(customerId, 'slow')
    let slowestMs = 0
    try {
      const deleting = races.request('DELETE', `/v1/customers/${customerId}`)
      await Promise.race([deleting, waitForWaiters(races.service, 1)])
      const late = races.record(customerId, 'late')
      const sending = others.map(async (other) => {
        const startedAt = performance.now()
        assert.equal((await races.record(other, 'beside')).status, 200)
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      })
      // What is stuck is let go in time to be answered.
      await Promise.race([Promise.all(sending), new Promise((resolve) => setTimeout(resolve, 2_000))])
      await lock.release()
      await Promise.all(sending)
      assert.equal((await deleting).status, 200)
      assert.equal((await late).status, 404)
    } finally {
      await lock.release().catch(() => {})
    }
    assert.ok(slowestMs < promisedMs, `the slowest of the others took ${Math.round(slowestMs)} ms`)
  })
})
