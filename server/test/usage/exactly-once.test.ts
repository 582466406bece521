// Many callers, two instances, one truth: keys count once, and nothing is shared that there is once only.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../service.ts'
import { startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture({ instances: 2, now: null })
})
after(async () => {
  const differences = await fixture.audit()
  await fixture.close()
  assert.deepEqual(differences, [])
})

const parallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** So many at a time, as so many connections would. */
async function inLanes<T>(
  lanes: number,
  items: T[],
  work: (item: T, lane: number) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await parallel(lanes, async (lane) => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item, lane)
  })
}

const applied = (answers: Answer[]) => answers.filter((answer) => answer.body.applied).length

describe('a storm of duplicates', () => {
  it('applies each of 200 events once, sent 25 times each over 50 connections and 2 instances', async () => {
    const customers = await parallel(5, () => fixture.makeCustomer())
    const sends = shuffled(Array.from({ length: 5_000 }, (_, index) => index % 200))
    const answers = new Map<number, Answer[]>()
    await inLanes(50, sends, async (event, lane) => {
      const answer = await fixture.record(
        customers[event % 5] as string,
        `e${event}`,
        { amount: 2 },
        lane % 2,
      )
      answers.getOrInsertComputed(event, () => []).push(answer)
    })
    for (const each of answers.values()) {
      assert.equal(applied(each), 1)
      assert.equal(new Set(each.map((answer) => answer.body.eventId)).size, 1)
      assert.equal(each.filter((answer) => answer.body.reason === 'duplicate_event').length, 24)
    }
    for (const customer of customers) assert.equal((await fixture.usage(customer)).used, 80)
  })
})

describe('the last unit', () => {
  for (const round of [1, 2, 3]) {
    it(`goes to exactly 100 of 1,000 parallel callers, round ${round}`, async () => {
      await fixture.makeProduct(`hundred-${round}`, [{ featureKey: 'calls', hasAccess: true, limit: 90 }])
      const acme = await fixture.makeCustomer({ customProductKeys: [`hundred-${round}`] })
      await fixture.give(acme, 10)
      const answers = await parallel(1_000, (index) =>
        fixture.record(acme, `e${index}`, { enforceLimit: true }, index % 2),
      )
      assert.equal(applied(answers), 100)
      const { used, remaining, bonusUsed } = await fixture.usage(acme)
      assert.deepEqual([used, remaining, bonusUsed], [100, 0, 10])
    })
  }
})

describe('batches over shared customers', () => {
  it('never lock one another out, and answer in order', async () => {
    const customers = await parallel(40, () => fixture.makeCustomer())
    await parallel(20, async (client) => {
      for (const round of [1, 2]) {
        const order = shuffled([...customers, ...customers, ...customers].slice(0, 100))
        const events = order.map((customerId, index) => ({
          customerId,
          featureKey: 'calls',
          eventKey: `c${client} r${round} i${index}`,
          metadata: { index: String(index) },
        }))
        const { status, body } = await fixture.request('POST', '/v1/usage/batch', {
          body: { events },
          instance: client % 2,
        })
        assert.deepEqual([status, body.hasErrors, body.results.length], [200, false, 100])
        const sample = body.results[37].result.eventId
        const { body: event } = await fixture.request('GET', `/v1/usage/${sample}`)
        assert.deepEqual([event.customerId, event.metadata.index], [order[37], '37'])
      }
    })
    let total = 0
    for (const customer of customers) total += (await fixture.usage(customer)).used
    assert.equal(total, 4_000)
  })
})

describe('a bonus asked for with one Idempotency-Key', () => {
  it('is given once to 40 parallel callers, who all get the same answer', async () => {
    const acme = await fixture.makeCustomer()
    const answers = await parallel(40, (index) =>
      fixture.give(acme, 5, {}, { headers: { 'idempotency-key': `${acme}-gift` }, instance: index % 2 }),
    )
    for (const { status, body } of answers) assert.deepEqual([status, body], [201, answers[0]?.body])
    const { body } = await fixture.request('GET', `/v1/bonuses?customerId=${acme}`)
    assert.equal(body.bonuses.length, 1)
  })
})
