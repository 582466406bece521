// A customer's timeline, bonuses of all customers, previews of a changed product, and exports as CSV.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, hourMs, noon, type StatisticsFixture, startStatisticsFixture } from './statistics-fixture.ts'

let fixture: StatisticsFixture
before(async () => {
  fixture = await startStatisticsFixture()
})
after(() => fixture?.close())

const previewProduct = (body: object) =>
  fixture.service.admin.request('POST', 'test/products/plan/preview', { body })

describe('timeline', () => {
  it('has usage by feature and hour, changes and checkouts, page by page, before and after it was summed up', async () => {
    await fixture.makeCustomer('acme')
    for (let index = 0; index < 6; index++)
      await fixture.record('acme', `e${index}`, { occurredAt: noon - index * 20 * 60_000 })
    const { events } = await fixture.make('GET', '/v1/usage?customerId=acme')
    await fixture.make('PUT', `/v1/usage/${events[0].id}`, { amount: 3 })
    const { bonus } = await fixture.make('POST', '/v1/bonuses', {
      customerId: 'acme',
      featureKey: 'calls',
      amount: 2,
    })
    await fixture.make('PUT', `/v1/bonuses/${bonus.bonusId}`, { amount: 4 })
    const list = async (query: string) => {
      const entries: { kind: string; title: string; at: number; amount?: number; count?: number }[] = []
      for (let cursor = ''; ; ) {
        const body = await fixture.see(`customers/acme/timeline?limit=2${query}${cursor}`)
        entries.push(...body.entries)
        if (body.nextCursor === null) return entries
        cursor = `&cursor=${body.nextCursor}`
      }
    }
    const usage = [
      { at: noon, amount: 3, count: 1 },
      { at: noon - hourMs, amount: 3, count: 3 },
      { at: noon - 2 * hourMs, amount: 2, count: 2 },
    ]
    for (const isSummedUp of [false, true]) {
      if (isSummedUp) await fixture.refresh()
      assert.deepEqual(
        (await list('&kinds=usage')).map(({ at, amount, count }) => ({ at, amount, count })),
        usage,
      )
      assert.deepEqual(
        (await list('')).map((entry) => entry.title),
        [
          'Bonus changed',
          'Bonus given',
          'Usage event edited',
          'Customer created',
          'Used CALLS',
          'Used CALLS',
          'Used CALLS',
        ],
      )
    }
    assert.equal((await fixture.look('customers/acme/timeline?kinds=party')).status, 400)
    assert.equal((await fixture.look('customers/nobody/timeline')).status, 404)
  })
})

describe('bonus-rows', () => {
  it('lists bonuses of all customers by state', async () => {
    await fixture.makeCustomer('beta', { name: 'Beta' })
    const give = (amount: number, more: object = {}) =>
      fixture.make('POST', '/v1/bonuses', { customerId: 'beta', featureKey: 'calls', amount, ...more })
    await give(5, { expiresAt: noon + dayMs })
    await give(6)
    await fixture.record('beta', 'all', { amount: 15 })
    const amounts = async (query: string) =>
      (await fixture.see(`bonus-rows?${query}`)).bonuses.map((row: { amount: number }) => row.amount)
    assert.deepEqual(await amounts('customerId=beta'), [6, 5])
    assert.deepEqual(await amounts('customerId=beta&state=open'), [6])
    assert.deepEqual(await amounts('state=used'), [5])
    assert.deepEqual(await amounts('state=expiring'), [])
    const [row] = (await fixture.see('bonus-rows?state=open&customerId=beta')).bonuses
    assert.equal(row.customerName, 'Beta')
  })
})

describe('the preview of a product', () => {
  it('tells who would be over a limit, with bonuses counted, and changes nothing', async () => {
    await fixture.makeCustomer('gamma')
    await fixture.record('gamma', 'e', { amount: 7 })
    await fixture.record('gamma', 't', { amount: 90, featureKey: 'tokens' })
    await fixture.refresh()
    const calls = (limit: number) => ({ featureKey: 'calls', hasAccess: true, limit })
    const tokens = { featureKey: 'tokens', hasAccess: true, isUnlimited: true }
    const lower = await previewProduct({ featureAccess: [calls(4), tokens] })
    // Acme has used 8 of what would be 4 and a bonus of 4, beta 15 of 4 and 11.
    assert.deepEqual(lower.body, {
      holders: 3,
      affected: 3,
      overLimit: [{ customerId: 'gamma', featureKey: 'calls', used: 7, before: 10, after: 4 }],
      overLimitCount: 1,
      isExact: true,
    })
    const limited = await previewProduct({
      featureAccess: [calls(10), { featureKey: 'tokens', hasAccess: true, limit: 50 }],
    })
    assert.deepEqual(limited.body.overLimit, [
      { customerId: 'gamma', featureKey: 'tokens', used: 90, before: null, after: 50 },
    ])
    const same = await previewProduct({ featureAccess: [calls(10), tokens] })
    assert.deepEqual([same.body.affected, same.body.overLimitCount], [0, 0])
    assert.equal((await previewProduct({ featureAccess: [calls(1), calls(2)] })).status, 400)
    assert.equal((await previewProduct({ featureAccess: [], version: 7 })).status, 400)
  })
})

describe('exports', () => {
  it('are CSV in which nothing is a formula', async () => {
    await fixture.makeCustomer('=cmd', { name: 'Quote " and, comma' })
    await fixture.record('=cmd', '+key', { amount: 1, metadata: { a: '@b' } })
    await fixture.refresh()
    const answer = await fixture.look('customer-rows.csv?search=cmd')
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    const [header, line] = answer.text.split('\r\n')
    assert.match(header ?? '', /^customerId,name,email,createdAt,/)
    assert.match(line ?? '', /^'=cmd,"Quote "" and, comma",,2026-01-17T12:00:00.000Z,plan,calls,1,10,0.1,1$/)
    const events = (await fixture.look('events.csv')).text.trimEnd().split('\r\n')
    const plain = await fixture.service.query(
      'select count(*)::int as n from usage_event where deleted_at is null and alias_of is null',
    )
    assert.equal(events.length - 1, plain[0]?.n)
    assert.ok(events.some((each) => each.includes(`,'=cmd,`) && each.includes(`,'+key,`)))
  })

  it('go over many pages, and say what is wrong before they begin', async () => {
    for (let index = 0; index < 7; index++) {
      const batch = Array.from({ length: 100 }, (_, count) => ({
        customerId: 'gamma',
        featureKey: 'tokens',
        eventKey: `page-${index}-${count}`,
        occurredAt: noon - index * hourMs - count,
      }))
      await fixture.make('POST', '/v1/usage/batch', { events: batch })
    }
    await fixture.refresh()
    const keysOf = (text: string) =>
      new Set(text.split('\r\n').flatMap((line) => /page-\d+-\d+/.exec(line)?.[0] ?? []))
    const all = (await fixture.look('events.csv?featureKey=tokens')).text
    assert.deepEqual([keysOf(all).size, all.trimEnd().split('\r\n').length], [700, 702])
    const one = (await fixture.look('events.csv?customerId=gamma')).text
    assert.equal(keysOf(one).size, 700)
    const { status, body } = await fixture.look('events.csv?productKey=nothing')
    assert.deepEqual([status, body.error], [404, 'There is no product "nothing".'])
  })
})
