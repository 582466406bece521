// The statistics that a job keeps are those of the ledger, whatever happened to it, and however often the job was interrupted.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { purgeCustomers, purgeFeatures } from '../../src/operations/customers/purge.ts'
import type { Services } from '../../src/operations/services.ts'
import { catchUp, workTurn } from '../../src/operations/statistics/keep-statistics.ts'
import { type Turn, takeTurn } from '../../src/storage/statistics/turn.ts'
import { dayMs, noon, startUsageFixture, type UsageFixture } from '../usage/usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ instances: 2 })
})
after(() => fixture?.close())

const servicesOf = (instance = 0): Services => fixture.service.instances[instance]?.services as Services
const refresh = () => catchUp(servicesOf(), 'test')

/** A chance that repeats itself. */
function createChance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return { below: (limit: number) => Math.floor(next() * limit) }
}

/** Sums made here, apart from those of the service and of the audit. */
async function sumLedger(): Promise<string[]> {
  const events = await fixture.service.query(
    `select c.customer_id, f.feature_key, e.occurred_at::text as at, e.amount::text as amount
     from usage_event e
     join customer c on c.customer_uid = e.customer_uid
     join feature f on f.feature_no = e.feature_no
     where e.deleted_at is null and e.alias_of is null`,
  )
  const sums = new Map<string, [number, number]>()
  for (const { customer_id, feature_key, at, amount } of events) {
    const hour = Math.floor(Number(at) / 3_600_000) * 3_600_000
    const name = `${customer_id} ${feature_key} ${hour}`
    const [sum, count] = sums.get(name) ?? [0, 0]
    sums.set(name, [sum + Number(amount), count + 1])
  }
  return [...sums].map(([name, [sum, count]]) => `${name} ${sum} ${count}`).sort()
}

async function readHours(): Promise<string[]> {
  const rows = await fixture.service.query(
    `select c.customer_id, f.feature_key, u.hour_at, u.amount::float8 as amount, u.events
     from usage_hour u
     left join customer c on c.customer_uid = u.customer_uid
     left join feature f on f.feature_no = u.feature_no`,
  )
  return rows
    .map((row) => `${row.customer_id} ${row.feature_key} ${row.hour_at} ${row.amount} ${row.events}`)
    .sort()
}

async function isTrue(): Promise<void> {
  assert.deepEqual(await readHours(), await sumLedger())
  assert.deepEqual(await fixture.audit(), [])
}

async function purge(): Promise<void> {
  while ((await purgeFeatures(servicesOf())) + (await purgeCustomers(servicesOf())) > 0);
}

const standingsOf = async (customerId: string) =>
  fixture.service.query(
    `select f.feature_key, s.used::float8 as used, s.allowance::float8 as allowance, s.share
     from customer_standing s
     join customer c on c.customer_uid = s.customer_uid
     join feature f on f.feature_no = s.feature_no
     where c.customer_id = $1 order by 1`,
    [customerId],
  )

const expire = () => fixture.service.query('update statistics_progress set taken_until = 0')
const take = () =>
  servicesOf().database.inTransaction((sql) => takeTurn(sql, 'test', { limit: 100, waitMs: 0 }))

/** A turn that has the customer to sum up; the service's own job may have been there first, then more is recorded. */
async function takeTurnOf(customerId: string, body: object = {}): Promise<Turn> {
  const [row] = await fixture.service.query('select customer_uid from customer where customer_id = $1', [
    customerId,
  ])
  for (let attempt = 0; attempt < 100; attempt++) {
    await fixture.record(customerId, `taken-${attempts++}`, body)
    const turn = await take()
    if (turn?.due.some((each) => each.customerUid === row?.customer_uid && each.from !== undefined))
      return turn
    if (turn) await workTurn(servicesOf(), 'test', turn)
  }
  throw new Error('the turn could not be had')
}
let attempts = 0

describe('sums of usage', () => {
  it('are those of the ledger after any history of records, edits, deletions and deleted customers', async () => {
    const chance = createChance(7)
    await fixture.makeFeature('tokens')
    const customers = [
      await fixture.makeCustomer(),
      await fixture.makeCustomer(),
      await fixture.makeCustomer(),
    ]
    let now = noon
    for (let step = 0; step < 160; step++) {
      const customerId = customers[chance.below(customers.length)] as string
      const featureKey = chance.below(2) === 0 ? 'calls' : 'tokens'
      const instance = chance.below(2)
      const options = { instance }
      const events = (await fixture.request('GET', `/v1/usage?customerId=${customerId}`, options)).body.events
      const event = events[chance.below(Math.max(1, events.length))]
      const kind = chance.below(12)
      if (kind < 6) {
        const occurredAt = now - chance.below(3) * chance.below(20 * dayMs)
        const body = { featureKey, amount: chance.below(5), occurredAt }
        assert.equal((await fixture.record(customerId, `e${step}`, body, instance)).status, 200)
      } else if (kind < 8 && event) {
        const body = { amount: chance.below(9), occurredAt: event.occurredAt - chance.below(3 * dayMs) }
        assert.equal((await fixture.request('PUT', `/v1/usage/${event.id}`, { body, instance })).status, 200)
      } else if (kind === 8 && event) {
        assert.equal((await fixture.request('DELETE', `/v1/usage/${event.id}`, options)).status, 200)
      } else if (kind === 9) {
        now += chance.below(dayMs)
        await fixture.setClock(now)
      } else if (kind === 10) {
        await catchUp(servicesOf(instance), 'test')
      } else if (step % 40 === 39) {
        await fixture.request('DELETE', `/v1/customers/${customerId}`)
        customers.splice(customers.indexOf(customerId), 1, await fixture.makeCustomer())
      }
    }
    await purge()
    await refresh()
    assert.ok((await readHours()).length > 20)
    await isTrue()
  })

  it('lose what a deleted feature had', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.makeFeature('gone')
    await fixture.record(customerId, 'only', { featureKey: 'gone', amount: 4 })
    await refresh()
    assert.ok((await readHours()).some((row) => row.startsWith(`${customerId} gone`)))
    assert.equal((await fixture.request('DELETE', '/v1/features/gone')).status, 200)
    await purge()
    await refresh()
    assert.ok(!(await readHours()).some((row) => row.startsWith(`${customerId} `)))
    await isTrue()
  })

  it('are made again after a crash between taking a turn and writing it', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.record(customerId, 'first')
    await refresh()
    const turn = await takeTurnOf(customerId)
    await fixture.record(customerId, 'third')
    // Nobody else takes a turn that is under way.
    assert.equal(await take(), undefined)
    await expire()
    await catchUp(servicesOf(1), 'test')
    await isTrue()
    const before = await readHours()
    await workTurn(servicesOf(), 'test', turn)
    assert.deepEqual(await readHours(), before)
    await isTrue()
  })

  it('are not written by whoever comes too late for its turn', async () => {
    const customerId = await fixture.makeCustomer()
    const late = await takeTurnOf(customerId)
    await expire()
    await takeTurnOf(customerId, { occurredAt: noon - 5 * dayMs })
    // The late one knows nothing of the event that lies earlier, and must not say that it is done.
    await workTurn(servicesOf(1), 'test', late)
    await expire()
    await refresh()
    await isTrue()
  })

  it('find what was written between the look and the end of a turn', async () => {
    const customerId = await fixture.makeCustomer()
    const turn = await takeTurnOf(customerId)
    await fixture.record(customerId, 'second')
    await workTurn(servicesOf(), 'test', turn)
    await refresh()
    await isTrue()
  })

  it('survive two instances at once', async () => {
    const customers = await Promise.all([1, 2, 3, 4].map(() => fixture.makeCustomer()))
    const write = async (customerId: string, instance: number) => {
      for (let count = 0; count < 15; count++)
        await fixture.record(
          customerId,
          `${instance}-${count}`,
          { occurredAt: noon - count * 4_000_000 },
          instance,
        )
    }
    const writing = Promise.all(
      customers.flatMap((customerId) => [write(customerId, 0), write(customerId, 1)]),
    )
    await Promise.all([catchUp(servicesOf(0), 'test'), catchUp(servicesOf(1), 'test'), writing])
    await refresh()
    await isTrue()
  })

  it('are of their own environment', async () => {
    const { service } = fixture
    const key = service.keys.live
    const send = (path: string, body: object) => service.request('POST', path, { body, key })
    await send('/v1/features', { featureKey: 'calls', name: 'Calls', type: 'limit' })
    await send('/v1/customers', { customerId: 'live-one' })
    await refresh()
    const before = await readHours()
    await send('/v1/usage', { customerId: 'live-one', featureKey: 'calls', eventKey: 'e', amount: 5 })
    await refresh()
    assert.deepEqual(await readHours(), before)
    await catchUp(servicesOf(), 'live')
    assert.equal((await readHours()).length, before.length + 1)
    const days = await service.query(`select customers from active_day where environment = 'live'`)
    assert.deepEqual(days, [{ customers: 1 }])
    assert.deepEqual(await fixture.audit(), [])
  })
})

describe('the audit', () => {
  it('finds sums that are not those of the ledger', async () => {
    await refresh()
    await fixture.service.query(
      'update usage_hour set amount = amount + 1 where ctid = (select min(ctid) from usage_hour)',
    )
    const checks = new Set((await fixture.audit()).map(({ check }) => check))
    assert.deepEqual(checks, new Set(['usage by hour', 'usage by day', 'usage over all customers']))
    await fixture.service.query(
      'update usage_hour set amount = amount - 1 where ctid = (select max(ctid) from usage_hour)',
    )
    await fixture.service.query('update active_day set customers = customers + 1')
    assert.ok((await fixture.audit()).some(({ check }) => check === 'active customers'))
  })
})

describe('how near a customer is to its limits', () => {
  it('follows usage, bonuses, the catalogue and the clock', async () => {
    const customerId = await fixture.makeCustomer()
    await fixture.setClock(noon)
    const look = async () => {
      await refresh()
      return (await standingsOf(customerId)).find((row) => row.feature_key === 'calls')
    }
    await fixture.record(customerId, 'a', { amount: 8 })
    assert.deepEqual(await look(), { feature_key: 'calls', used: 8, allowance: 10, share: 0.8 })
    await fixture.give(customerId, 6)
    assert.deepEqual(await look(), { feature_key: 'calls', used: 8, allowance: 16, share: 0.5 })
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 2 }]
    await fixture.make('PUT', '/v1/products/plan/feature-access', { featureAccess })
    assert.deepEqual(await look(), { feature_key: 'calls', used: 8, allowance: 8, share: 1 })
    await fixture.setClock(noon + 60 * dayMs)
    const reset = await look()
    assert.deepEqual([reset?.used, reset?.share], [0, 0])
  })
})
