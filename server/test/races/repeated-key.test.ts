// A repeated event key among many other events: it is told so, and the others neither fail nor cost more for it.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

const customers = 40
const events = 400

let races: Races
let ids: string[]
before(async () => {
  races = await openRaces({ instances: 2 })
  ids = []
  for (let n = 0; n < customers; n++) ids.push(await races.makeCustomer())
  for (const customerId of ids) assert.equal((await races.record(customerId, 'taken')).status, 200)
})
after(() => races.close())

/** Rows that statements put into the ledger, also those of statements that failed; told for certain when sessions end. */
async function countInserted(): Promise<number> {
  const { instances, query } = races.service
  await Promise.all(instances.map((instance) => instance.close()))
  await eventually(
    () =>
      query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'tollkeeper'`,
      ),
    (open) => assert.equal(open.length, 0),
  )
  const [row] = await query(
    `select n_tup_ins as count from pg_stat_user_tables where relname = 'usage_event'`,
  )
  return Number(row?.count)
}

describe(`one repeated event key among ${events} events at once`, () => {
  it('is a duplicate, and every other event is applied once', async () => {
    const sent = Array.from({ length: events }, (_, n) => ({
      customerId: ids[n % customers] as string,
      eventKey: n === events / 2 ? 'taken' : `stream-${n}`,
    }))
    const answers = await Promise.all(
      sent.map(({ customerId, eventKey }, n) => races.record(customerId, eventKey, {}, { instance: n % 2 })),
    )
    const outcomes = answers.map(({ status, body }) => `${status} ${body.reason ?? body.applied}`)
    assert.deepEqual(
      [...Map.groupBy(outcomes, (each) => each)].map(([outcome, list]) => [outcome, list.length]).sort(),
      [
        ['200 duplicate_event', 1],
        ['200 true', events - 1],
      ],
    )
    for (const [n, customerId] of ids.entries()) {
      const used =
        1 + sent.filter((each) => each.customerId === customerId && each.eventKey !== 'taken').length
      assert.equal((await races.entry(customerId, n % 2)).usage.used, used)
    }
    assert.deepEqual(await races.audit(), [])
  })

  // The last one here: it ends the instances. On the code before, 1.2 times as many rows were written.
  it('does not send the others a second way: each is written to the ledger once', async () => {
    const rounds = 10
    for (let round = 0; round < rounds; round++) {
      // Four callers with a hundred each, so that all are at hand at once; the repeated one comes last.
      const calls = Array.from({ length: events / 100 }, (_, part) => {
        const list = Array.from({ length: 100 }, (_, n) => ({
          customerId: ids[n % customers],
          featureKey: 'calls',
          eventKey: part === 3 && n === 99 ? 'taken' : `${round}-${part}-${n}`,
        }))
        return races.make('POST', '/v1/usage/batch', { events: list })
      })
      const results = (await Promise.all(calls)).flatMap(({ body }) => body.results)
      assert.equal(results.filter(({ result }) => result?.applied).length, events - 1)
    }
    const [row] = await races.service.query('select count(*)::int as count from usage_event')
    const share = (await countInserted()) / Number(row?.count)
    // A few that waited beside a repeated key may have been written again with it.
    assert.ok(share <= 1.1, `${share.toFixed(2)} times as many rows were written as there are events`)
  })
})
