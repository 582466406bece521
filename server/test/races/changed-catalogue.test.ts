// A write or read that is under way while the catalogue changes: what it says or leaves behind is true of one catalogue, the
// newest that was answered before it took effect.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { startService } from '../../src/service.ts'
import { eventually, holdCustomer, holdLock, waitForWaiters } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

describe('a write that waits while the catalogue changes', () => {
  it('is decided by a limit that was answered, and seen, before it took effect', async () => {
    const productKey = await races.makePlan(10)
    const customerId = await races.makeCustomer(productKey)
    await races.record(customerId, 'before', { amount: 5 })
    const lock = await holdCustomer(races.service, customerId)
    const writing = races.record(customerId, 'late', { amount: 1, enforceLimit: true })
    await waitForWaiters(races.service, 1)
    await races.limitTo(productKey, 5)
    // Whoever sees this knows that the write comes after the change.
    const { limit, usage } = await races.entry(customerId)
    assert.deepEqual([limit, usage.used], [5, 5])
    await lock.release()
    const { body } = await writing
    assert.deepEqual([body.applied, body.reason, body.used], [false, 'limit_reached', 5])
  })

  it('is sorted by an interval that was answered before it took effect', async () => {
    const feature = { featureKey: 'seats', name: 'Seats', type: 'limit', usageResetInterval: 'hour' }
    await races.make('POST', '/v1/features', feature)
    const customerId = await races.makeCustomer()
    const seats = { featureKey: 'seats', occurredAt: Date.UTC(2026, 0, 17, 12, 1) }
    // A day and a quarter of an hour before: another hour, the same month.
    await races.record(customerId, 'early', {
      ...seats,
      amount: 3,
      occurredAt: Date.UTC(2026, 0, 16, 12, 15),
    })
    await races.record(customerId, 'before', { ...seats, amount: 1 })
    const lock = await holdCustomer(races.service, customerId)
    const writing = races.record(customerId, 'late', { ...seats, amount: 1 })
    await waitForWaiters(races.service, 1)
    await races.make('PUT', '/v1/features/seats', { usageResetInterval: 'never' })
    assert.equal((await races.entry(customerId, 0, 'seats')).usage.used, 4)
    await lock.release()
    assert.equal((await writing).body.used, 5)
    assert.equal((await races.entry(customerId, 1, 'seats')).usage.used, 5)
    assert.deepEqual(await races.audit(customerId), [])
  })

  it('of a feature deleted and purged meanwhile leaves nothing and says so', async () => {
    const { service } = races
    await races.make('POST', '/v1/features', { featureKey: 'doomed', name: 'Doomed', type: 'limit' })
    const [row] = await service.query(`select feature_no from feature where feature_key = 'doomed'`)
    const customerId = await races.makeCustomer()
    // Known to this instance, so that nothing is left to look up but the row.
    await races.record(customerId, 'before', { featureKey: 'doomed' })
    const lock = await holdCustomer(service, customerId)
    const writing = races.record(customerId, 'late', { featureKey: 'doomed' })
    await waitForWaiters(service, 1)
    await races.make('DELETE', '/v1/features/doomed')
    // An instance that starts clears away what is left of deleted features, so nobody has to wait for the next round.
    const variables = { PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' }
    const third = await startService(readConfig(variables), service.database.connection)
    try {
      await eventually(
        () => service.query('select from usage_event where feature_no = $1', [row?.feature_no]),
        (left) => assert.equal(left.length, 0),
        2_500,
      )
    } finally {
      await lock.release()
    }
    const { status } = await writing
    const tables = ['usage_event', 'usage_counter']
    try {
      for (const table of tables) {
        const left = await service.query(`select from ${table} where feature_no = $1`, [row?.feature_no])
        assert.equal(left.length, 0, `${left.length} rows in ${table} for ever`)
      }
      assert.equal(status, 404)
    } finally {
      await third.close()
    }
  })
})

describe('a read while the catalogue changes', () => {
  // An instance that met changes of others within the last second asks for more as it lets requests in, and is then held up
  // as a whole; so there are several tries. On the code before, every run found it.
  it('shows usage and limit as of one instant: never more used than allowed where every write was enforced', async () => {
    const subjects = []
    for (let n = 0; n < 3; n++) {
      const productKey = await races.makePlan(10)
      subjects.push({ productKey, customerId: await races.makeCustomer(productKey) })
    }
    for (const { productKey, customerId } of subjects) await readDuringChange(productKey, customerId)
  })

  async function readDuringChange(productKey: string, customerId: string): Promise<void> {
    const { service } = races
    const fill = (eventKey: string, amount: number) =>
      races.record(customerId, eventKey, { amount, enforceLimit: true })
    assert.equal((await races.entry(customerId)).usage.used, 0)
    await fill('first', 9)
    assert.equal((await races.entry(customerId, 1)).usage.used, 9)
    // The other instance must look again, and its look waits at a table that recording does not need.
    await fill('second', 1)
    const lock = await holdLock(service, 'lock table bonus in access exclusive mode')
    const reading = races.entry(customerId, 1)
    await waitForWaiters(service, 1)
    const changing = races.limitTo(productKey, 20).then(() => fill('third', 5))
    // A service that needs the table for these as well goes on when it is given back.
    await Promise.race([changing, sleep(1_500)])
    await lock.release()
    assert.equal((await changing).body.applied, true)
    const { limit, usage } = await reading
    assert.ok(usage.used <= limit, `${usage.used} of ${limit}`)
    const { limit: laterLimit, usage: later } = await races.entry(customerId, 1)
    assert.deepEqual([later.used, laterLimit], [15, 20])
  }
})
