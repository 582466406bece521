// Charts and figures of the dashboard show what was recorded, by hours and days of UTC.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, hourMs, noon, type StatisticsFixture, startStatisticsFixture } from './statistics-fixture.ts'

let fixture: StatisticsFixture
before(async () => {
  fixture = await startStatisticsFixture()
  await fixture.makeCustomer('acme', { name: 'Acme' })
  await fixture.makeCustomer('beta')
  await fixture.record('acme', 'a', { amount: 4 })
  await fixture.record('acme', 'b', { amount: 5, occurredAt: noon - 2 * hourMs })
  await fixture.record('acme', 'c', { amount: 7, featureKey: 'tokens', occurredAt: noon - dayMs })
  await fixture.record('beta', 'a', { amount: 2, occurredAt: noon - 3 * dayMs })
  await fixture.refresh()
})
after(() => fixture?.close())

type Point = { at: number; values: Record<string, number> }
const used = (points: Point[]) =>
  points.filter(({ values }) => Object.values(values).some((value) => value !== 0))

describe('charts/usage', () => {
  it('sums up all customers by day', async () => {
    const { points, series, isExact, asOf } = await fixture.see('charts/usage?interval=day')
    assert.equal(points.length, 30)
    assert.deepEqual([isExact, asOf], [false, noon])
    assert.deepEqual(series, [{ key: 'total', name: 'total', total: 4 }])
    const today = noon - (noon % dayMs)
    assert.deepEqual(used(points), [
      { at: today - 3 * dayMs, values: { total: 1 } },
      { at: today - dayMs, values: { total: 1 } },
      { at: today, values: { total: 2 } },
    ])
  })

  it('groups by feature, product and customer', async () => {
    const of = async (query: string) => (await fixture.see(`charts/usage?interval=day&${query}`)).series
    assert.deepEqual(await of('groupBy=feature&measure=amount'), [
      { key: 'calls', name: 'CALLS', total: 11 },
      { key: 'tokens', name: 'TOKENS', total: 7 },
    ])
    assert.deepEqual(await of('groupBy=product'), [{ key: 'plan', name: 'Plan', total: 4 }])
    assert.deepEqual(await of('groupBy=customer'), [
      { key: 'acme', name: 'Acme', total: 3 },
      { key: 'beta', name: 'beta', total: 1 },
    ])
    assert.deepEqual(await of('groupBy=customer&featureKey=calls&measure=amount'), [
      { key: 'acme', name: 'Acme', total: 9 },
      { key: 'beta', name: 'beta', total: 2 },
    ])
  })

  it('is exact for one customer though nothing was summed up since, in hours of UTC whatever zone the server is in', async () => {
    await fixture.record('acme', 'late', { amount: 1, occurredAt: noon - 1 })
    const chart = await fixture.see(
      'charts/usage?interval=hour&customerId=acme&featureKey=calls&measure=amount',
    )
    assert.equal(chart.isExact, true)
    assert.deepEqual(used(chart.points), [
      { at: noon - 2 * hourMs, values: { total: 5 } },
      { at: noon - hourMs, values: { total: 1 } },
      { at: noon, values: { total: 4 } },
    ])
  })

  it('names the field that is wrong', async () => {
    const refused = async (query: string) => {
      const { status, body } = await fixture.look(`charts/usage?${query}`)
      return [status, body.error]
    }
    assert.deepEqual(await refused('measure=amount'), [
      400,
      'featureKey is required with measure "amount" unless groupBy is "feature".',
    ])
    assert.deepEqual(await refused(`from=${noon}&to=${noon - dayMs}`), [400, 'from must lie before to.'])
    assert.equal((await refused(`interval=hour&from=${noon - 400 * dayMs}`))[0], 400)
    assert.equal((await refused('customerId=nobody'))[0], 404)
    assert.equal((await refused('interval=week'))[0], 400)
  })
})

describe('charts/limit', () => {
  it('shows the running total of each period, where it begins anew, and the limit', async () => {
    await fixture.makeCustomer('gamma', { usageStartedAt: Date.UTC(2025, 10, 10, 0, 30) })
    const at = (month: number, day: number, hour: number, minute = 0) =>
      Date.UTC(2026, month, day, hour, minute)
    const boundary = at(0, 10, 0, 30)
    const events = [boundary - dayMs, boundary - 1, boundary, boundary + 1, noon - dayMs]
    for (const [index, occurredAt] of events.entries())
      await fixture.record('gamma', `e${index}`, { occurredAt, amount: index + 1 })
    const check = async () => {
      const chart = await fixture.see('charts/limit?customerId=gamma&featureKey=calls&periods=2')
      assert.deepEqual(chart.resets, [boundary])
      const before = chart.points.filter((point: { at: number }) => point.at < boundary)
      const from = chart.points.filter((point: { at: number }) => point.at >= boundary)
      assert.equal(before.at(-1).used, 1 + 2)
      assert.deepEqual(
        [from[0], from.at(-1)],
        [
          { at: boundary, used: 0 },
          { at: noon, used: 3 + 4 + 5 },
        ],
      )
      assert.equal(chart.limit.at(-1).limit, 10)
    }
    await check()
    await fixture.refresh()
    await check()
    await fixture.record('gamma', 'again', { occurredAt: boundary + 2, amount: -3 })
    const { points } = await fixture.see('charts/limit?customerId=gamma&featureKey=calls&periods=2')
    assert.equal(points.at(-1).used, 9)
  })
})

describe('overview', () => {
  it('has today’s figures, refusals, and who is near a limit', async () => {
    const refused = await fixture.record('acme', 'too-much', { amount: 50, enforceLimit: true })
    assert.equal(refused.applied, false)
    await fixture.services.tally.flush()
    await fixture.refresh()
    const overview = await fixture.see('overview')
    assert.equal(overview.figures.eventsToday.perHour[12], 1)
    assert.equal(overview.figures.eventsToday.perHour[11], 1)
    assert.equal(overview.figures.refusedToday.value, 1)
    assert.deepEqual(overview.refusals, [{ featureKey: 'calls', reason: 'limit_reached', count: 1 }])
    assert.equal(overview.figures.activeCustomers.value, 1)
    assert.deepEqual(overview.checklist, {
      hasCustomer: true,
      hasKey: true,
      hasEvent: true,
      hasProvider: false,
    })
    const acme = overview.attention.find((notice: { customerId?: string }) => notice.customerId === 'acme')
    assert.deepEqual([acme.kind, acme.featureKey, acme.used, acme.allowance], ['over_limit', 'calls', 10, 10])
  })
})

describe('charts/requests', () => {
  it('counts requests by key', async () => {
    await fixture.services.tally.flush()
    const { points, byKey } = await fixture.see('charts/requests')
    assert.equal(byKey.length, 1)
    assert.ok(byKey[0].requests > 10)
    const sum = points.reduce((total: number, point: { requests: number }) => total + point.requests, 0)
    assert.equal(sum, byKey[0].requests)
  })
})
