// The dashboard's lists: customers with their figures, holders, features, and the ledger over all customers.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, hourMs, noon, type StatisticsFixture, startStatisticsFixture } from './statistics-fixture.ts'

let fixture: StatisticsFixture
before(async () => {
  fixture = await startStatisticsFixture()
  for (let index = 0; index < 12; index++) {
    const customerId = `c${index}`
    await fixture.makeCustomer(customerId, { name: `Customer ${index}` })
    if (index > 0) await fixture.record(customerId, 'e', { amount: index, occurredAt: noon - index * 1000 })
  }
  await fixture.makeCustomer('without', { customProductKeys: [] })
  await fixture.refresh()
})
after(() => fixture?.close())

type Row = { customerId: string; hottest: { share: number } | null; perDay: number[] }

async function listAll(path: string, noun: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor = ''
  for (let pages = 0; pages < 40; pages++) {
    const body = await fixture.see(`${path}&limit=5${cursor}`)
    assert.ok(body[noun].length <= 5)
    rows.push(...body[noun])
    if (body.nextCursor === null) return rows
    cursor = `&cursor=${body.nextCursor}`
  }
  throw new Error('the list does not end')
}

describe('customer-rows', () => {
  const ids = async (query: string) =>
    (await listAll(`customer-rows?${query}`, 'customers')).map((row) => row.customerId)

  it('lists everybody once, newest first, or nearest to a limit first', async () => {
    const all = Array.from({ length: 12 }, (_, index) => `c${index}`)
    assert.deepEqual(await ids(''), ['without', ...all.toReversed()])
    const byShare = await ids('sort=share')
    assert.deepEqual(byShare.slice(0, 11), all.slice(1).toReversed())
    assert.deepEqual(byShare.slice(11).toSorted(), ['c0', 'without'])
  })

  it('filters by status, product and search, and says how many there are', async () => {
    assert.deepEqual(await ids('status=over'), ['c11', 'c10'])
    assert.deepEqual(await ids('status=near&sort=share'), ['c9', 'c8'])
    assert.equal((await ids('status=ok')).length, 9)
    assert.deepEqual(await ids('status=near&featureKey=tokens'), [])
    assert.deepEqual(await ids('search=CUSTOMER%203'), ['c3'])
    assert.equal((await ids('productKey=plan')).length, 12)
    assert.equal((await fixture.see('customer-rows?status=over')).total, 2)
    assert.equal((await fixture.see('customer-rows?search=c1')).total, 3)
    assert.equal((await fixture.see('customer-rows?productKey=plan')).total, 12)
    assert.equal((await fixture.see('customer-rows?productKey=plan&search=c1')).total, 3)
  })

  it('shows what is held, the hottest feature and fourteen days', async () => {
    const [row] = (await fixture.see('customer-rows?search=c4')).customers
    assert.deepEqual(row.products, [
      { key: 'plan', name: 'Plan', status: 'active', isDefault: false, isAddOn: false },
    ])
    assert.deepEqual(row.hottest, { featureKey: 'calls', used: 4, allowance: 10, share: 0.4 })
    assert.deepEqual([row.perDay.length, row.perDay.at(-1), row.eventsTotal14d], [14, 1, 1])
  })
})

describe('products/holders and features', () => {
  it('count who holds what, and how near they are', async () => {
    const { products } = await fixture.see('products/holders')
    assert.deepEqual(products, [
      { productKey: 'plan', holders: 12, byVersion: [{ version: 1, holders: 12 }] },
    ])
    const statistics = await fixture.see('features/calls/statistics')
    assert.deepEqual(statistics.customers, { used: 11, atLimit: 2, near: 2, unlimited: 0 })
    assert.deepEqual(
      statistics.histogram.map((part: { count: number }) => part.count),
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
    )
    assert.equal(statistics.topCustomers[0].customerId, 'c11')
    const impact = await fixture.see('features/calls/impact')
    assert.deepEqual(impact, {
      products: [{ productKey: 'plan', versions: [1] }],
      customersWithUsage: 11,
      events: 11,
      openBonuses: 0,
    })
  })
})

describe('events', () => {
  it('lists the ledger over all customers, newest first, page by page', async () => {
    for (let index = 0; index < 30; index++) {
      const occurredAt = noon - (index % 3) * dayMs - index * hourMs
      await fixture.record(`c${index % 7}`, `more-${index}`, { occurredAt, amount: 1 })
    }
    for (const customerId of ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'])
      await fixture.record(customerId, 'same', { occurredAt: noon, featureKey: 'tokens' })
    await fixture.refresh()
    const plain = await fixture.service.query(
      `select c.customer_id || ' ' || e.event_key as name from usage_event e join customer c using (customer_uid)
       order by e.occurred_at desc, e.customer_uid desc, e.event_no desc`,
    )
    const expected = plain.map((row) => row.name)
    const listed = (await listAll('events?', 'events')) as unknown as {
      customerId: string
      eventKey: string
    }[]
    assert.deepEqual(
      listed.map((event) => `${event.customerId} ${event.eventKey}`),
      expected,
    )
    const range = `from=${noon - dayMs}&to=${noon - 1000}`
    const inRange = await listAll(`events?${range}`, 'events')
    const counted = await fixture.service.query(
      'select count(*)::int as n from usage_event where occurred_at >= $1 and occurred_at < $2',
      [noon - dayMs, noon - 1000],
    )
    assert.equal(inRange.length, counted[0]?.n)
  })

  it('filters by feature, product, customer and source, and finds by id and key', async () => {
    await fixture.make('POST', '/v1/usage/set', {
      customerId: 'c0',
      featureKey: 'calls',
      eventKey: 'set',
      used: 3,
    })
    await fixture.refresh()
    assert.equal((await listAll('events?featureKey=tokens', 'events')).length, 6)
    assert.equal((await listAll('events?productKey=plan', 'events')).length, 48)
    assert.equal((await listAll('events?customerId=c1', 'events')).length, 7)
    const [set, ...others] = (await listAll('events?source=usage_set_adjustment', 'events')) as unknown as {
      id: string
      eventKey: string
      isEdited: boolean
    }[]
    assert.deepEqual([set?.eventKey, others.length], ['set', 0])
    const found = await fixture.see(`events?search=${set?.id}`)
    assert.equal(found.events[0].eventKey, 'set')
    assert.equal((await fixture.see('events?search=same')).events.length, 6)
  })

  it('previews an edit and a deletion, and has the history of both', async () => {
    const { events } = await fixture.see('events?customerId=c9&limit=1')
    const { id } = events[0]
    const preview = (body: object) =>
      fixture.service.admin.request('POST', `test/events/${id}/preview`, { body })
    const edited = await preview({ amount: 4 })
    assert.deepEqual(edited.body.periods, [
      {
        featureKey: 'calls',
        start: Date.UTC(2026, 0, 10),
        end: Date.UTC(2026, 1, 10),
        before: { used: 9, remaining: 1 },
        after: { used: 4, remaining: 6 },
      },
    ])
    const moved = await preview({ occurredAt: Date.UTC(2026, 0, 1) })
    assert.deepEqual(
      moved.body.periods.map((period: { before: object; after: object }) => [period.before, period.after]),
      [
        [
          { used: 9, remaining: 1 },
          { used: 0, remaining: 10 },
        ],
        [
          { used: 0, remaining: 10 },
          { used: 9, remaining: 1 },
        ],
      ],
    )
    const deleted = await preview({ delete: true })
    assert.deepEqual(deleted.body.periods[0].after, { used: 0, remaining: 10 })
    assert.equal((await preview({ delete: true, amount: 1 })).status, 400)
    assert.equal((await fixture.see(`events/${id}/history`)).entries.length, 0)
    assert.equal((await fixture.see('events?customerId=c9')).events[0].amount, 9)
    await fixture.make('PUT', `/v1/usage/${id}`, { amount: 4 })
    await fixture.make('DELETE', `/v1/usage/${id}`)
    const { entries } = await fixture.see(`events/${id}/history`)
    assert.deepEqual(
      entries.map((entry: { action: string }) => entry.action),
      ['usage.delete', 'usage.amend'],
    )
    const [gone] = (await fixture.see(`events?search=${id}`)).events
    assert.deepEqual([gone.isEdited, gone.isDeleted], [true, true])
  })
})
