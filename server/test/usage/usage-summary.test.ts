// GET /v1/usage/summary: spans of the UTC calendar whose sums are exactly what was used.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { computeBuckets } from '../../src/domain/ledger/summary.ts'
import { dayMs, noon, type Stage, startStage } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage({ instances: 2 })
})
after(() => stage.close())

type Bucket = { start: number; end: number; used: number; events: number }

const ask = (customerId: string, query: string, instance = 0) =>
  stage.request('GET', `/v1/usage/summary?customerId=${customerId}&featureKey=calls&${query}`, { instance })

const midnight = noon - dayMs / 2

describe('200', () => {
  it('sums up by day, empty days too, exactly, and at once on every instance', async () => {
    const acme = await stage.makeCustomer()
    for (const [index, [amount, occurredAt]] of [
      [0.1, midnight - 1],
      [0.2, midnight],
      [0.1, noon],
      [-0.1, noon - 1],
      [7, midnight - 3 * dayMs],
    ].entries())
      await stage.record(acme, `e${index}`, { amount, occurredAt })
    const { body } = await ask(acme, `interval=day&from=${midnight - 3 * dayMs}&to=${midnight + dayMs}`, 1)
    assert.deepEqual(
      body.buckets.map(({ start, used, events }: Bucket) => [(start - midnight) / dayMs, used, events]),
      [
        [-3, 7, 1],
        [-2, 0, 0],
        [-1, 0.1, 1],
        [0, 0.2, 3],
      ],
    )
  })

  it('cuts the first and the last span at from and to, so that they add up to what is listed', async () => {
    const acme = await stage.makeCustomer()
    for (let hours = 0; hours < 30; hours++)
      await stage.record(acme, `h${hours}`, { amount: 1.3, occurredAt: noon - hours * 3_600_000 })
    const [from, to] = [noon - 25 * 3_600_000, noon]
    for (const interval of ['hour', 'day', 'week', 'month']) {
      const { buckets } = (await ask(acme, `interval=${interval}&from=${from}&to=${to}`)).body
      assert.deepEqual([buckets[0].start, buckets.at(-1).end], [from, to])
      const events = buckets.reduce((sum: number, each: Bucket) => sum + each.events, 0)
      assert.equal(events, 25)
    }
  })

  it('leaves deleted events out and follows what was amended', async () => {
    const acme = await stage.makeCustomer()
    const { body } = await stage.record(acme, 'a', { amount: 4 })
    const gone = await stage.record(acme, 'b', { amount: 5 })
    await stage.make('PUT', `/v1/usage/${body.eventId}`, { amount: 6, eventKey: 'c' })
    await stage.request('DELETE', `/v1/usage/${gone.body.eventId}`)
    const { buckets } = (await ask(acme, `interval=month&from=${noon - dayMs}`)).body
    assert.deepEqual(
      buckets.map(({ used, events }: Bucket) => [used, events]),
      [[6, 1]],
    )
  })

  it('gives the last 30 spans where nothing is asked for', async () => {
    const acme = await stage.makeCustomer()
    const { buckets } = (await ask(acme, 'interval=day')).body
    assert.deepEqual([buckets.length, buckets.at(-1).end], [30, midnight + dayMs])
  })
})

describe('the spans', () => {
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10)
  const startsOf = (interval: 'week' | 'month', from: string, to: string) =>
    computeBuckets(interval, { from: Date.parse(from), to: Date.parse(to) }, noon).map(({ start }) =>
      iso(start),
    )

  it('are ISO weeks and months of UTC', () => {
    assert.deepEqual(startsOf('week', '2026-01-01', '2026-01-13'), ['2026-01-01', '2026-01-05', '2026-01-12'])
    assert.deepEqual(startsOf('month', '2024-01-31', '2024-04-01'), [
      '2024-01-31',
      '2024-02-01',
      '2024-03-01',
    ])
  })
})

describe('400 and 404', () => {
  it('over 400 spans, from not before to, a wrong interval, and a feature that does not track', async () => {
    const acme = await stage.makeCustomer()
    await stage.makeFeature('untracked', { tracksUsage: false })
    const bad: [string, RegExp][] = [
      [`interval=hour&from=${noon - 401 * 3_600_000}&to=${noon}`, /^from and to must span at most 400/],
      [`interval=day&from=${noon}&to=${noon}`, /^from must lie before to/],
      ['interval=year', /^interval must be one of/],
      [`interval=day&from=${noon / 1000}`, /^from .*looks like seconds/],
    ]
    for (const [query, sentence] of bad) {
      const { status, body } = await ask(acme, query)
      assert.equal(status, 400, query)
      assert.match(body.error, sentence)
    }
    assert.equal((await ask(acme, `interval=hour&from=${noon - 400 * 3_600_000}&to=${noon}`)).status, 200)
    const path = `/v1/usage/summary?customerId=${acme}&interval=day&featureKey=`
    assert.equal((await stage.request('GET', `${path}untracked`)).status, 400)
    assert.equal((await stage.request('GET', `${path}nothing`)).status, 404)
    assert.equal((await ask('nobody', 'interval=day')).status, 404)
  })
})
