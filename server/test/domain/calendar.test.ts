// The calendar against PostgreSQL's own `anchor + n * interval`: every day of ten years, every interval, 60
// periods before and 60 after it, in several time zones of the process.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../database.ts'

type PeriodModule = typeof import('../../src/domain/access/period.ts')

const intervals = {
  hour: '1 hour',
  day: '1 day',
  week: '7 days',
  month: '1 month',
  quarter: '3 months',
  year: '1 year',
}
type Interval = keyof typeof intervals

const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']
const startsPerAnchor = 121
const daysInTenYears = 3653

// The time of day differs from anchor to anchor, so that a lost or rounded time shows. Plain timestamps know
// no zone; float8send is exact for ms and spares parsing 2.6 million numbers.
const startsSql = `
  select string_agg(float8send(extract(epoch from anchor + n * $1::interval) * 1000), ''::bytea order by day, n) as starts
  from (
    select day, timestamp '2023-01-01' + day * interval '1 day' + day * 7919 % 86400000 * interval '1 ms' as anchor
    from generate_series(0, $2::int - 1) as day
  ) as anchors
  cross join generate_series(-60, 60) as n`

const oracle = new Map<Interval, Float64Array>()

before(async () => {
  const database = await createTestDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    for (const interval of Object.keys(intervals) as Interval[]) {
      const { rows } = await client.query(startsSql, [intervals[interval], daysInTenYears])
      const bytes = Uint8Array.from(rows[0].starts as Buffer)
      Buffer.from(bytes.buffer).swap64()
      oracle.set(interval, new Float64Array(bytes.buffer))
    }
  } finally {
    await client.end()
    await database.drop()
  }
})

/** How many of an anchor's periods are not exactly those of the oracle, asked at their first and last ms. */
function countDifferences({ computePeriod }: PeriodModule, interval: Interval, starts: Float64Array): number {
  const anchorAt = starts[60] as number
  let differences = 0
  for (let n = 0; n < starts.length - 1; n++) {
    const [start, end] = [starts[n] as number, starts[n + 1] as number]
    const first = computePeriod(interval, anchorAt, start)
    const last = computePeriod(interval, anchorAt, end - 1)
    if (first.start !== start || first.end !== end || last.start !== start || last.end !== end) differences++
  }
  return differences
}

describe('every day 2023 to 2032, 120 periods around it', () => {
  for (const zone of zones) {
    it(`is as PostgreSQL computes it when the process runs in ${zone}`, async (t) => {
      const zoneBefore = process.env.TZ
      process.env.TZ = zone
      t.after(() => {
        if (zoneBefore === undefined) delete process.env.TZ
        else process.env.TZ = zoneBefore
      })
      assert.equal(new Intl.DateTimeFormat().resolvedOptions().timeZone, zone)
      // A module of its own, so that nothing it remembers was computed in another zone.
      const url = new URL(`../../src/domain/access/period.ts?zone=${zone}`, import.meta.url)
      const period: PeriodModule = await import(url.href)
      assert.equal(oracle.size, Object.keys(intervals).length)
      for (const [interval, starts] of oracle) {
        assert.equal(starts.length, daysInTenYears * startsPerAnchor)
        let differences = 0
        for (let i = 0; i < starts.length; i += startsPerAnchor)
          differences += countDifferences(period, interval, starts.subarray(i, i + startsPerAnchor))
        assert.equal(differences, 0, `${differences} periods of one ${interval} differ`)
      }
    })
  }
})
