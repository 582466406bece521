// One customer's trouble is its own: others that are written to in the same moment go on, whatever holds that one up.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { holdCustomer, waitForWaiters } from './held-lock.ts'
import { openRaces, type Races } from './races-fixture.ts'

// A second is promised to the others while one is locked for three.
const promisedMs = 1_000
const lockedMs = 3_000
const others = 20

let races: Races
let locked: string
let free: string[]
before(async () => {
  races = await openRaces()
  locked = await races.makeCustomer()
  free = []
  for (let n = 0; n < others; n++) free.push(await races.makeCustomer())
  // Known to the instance, so that nothing but the write is timed.
  for (const customerId of [locked, ...free]) assert.equal((await races.record(customerId, 'e')).status, 200)
})
after(() => races.close())

let round = 0

/** Locks the one for three seconds, sends to all at once, and again to the others; says how long the slowest other took. */
async function measureOthers(send: (customerId: string, key: string) => Promise<{ status: number }>) {
  const key = `round-${++round}`
  const lock = await holdCustomer(races.service, locked)
  const releaseAt = performance.now() + lockedMs
  const stuck = send(locked, key)
  let slowestMs = 0
  const time = async (customerId: string, eventKey: string) => {
    const startedAt = performance.now()
    const { status } = await send(customerId, eventKey)
    assert.equal(status, 200)
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }
  const sent = free.map((customerId) => time(customerId, key))
  await waitForWaiters(races.service, 1)
  const sentLater = free.map((customerId) => time(customerId, `${key}-later`))
  const all = Promise.all([...sent, ...sentLater])
  // However it ends, the row is given back when its time is over, and not before.
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, releaseAt - performance.now())))
  await lock.release()
  await all
  return { slowestMs, stuck: await stuck }
}

describe(`a customer locked for ${lockedMs} ms by a stranger`, () => {
  it('and recorded for: others answer within a second, and its own write is done when the lock is gone', async () => {
    const { slowestMs, stuck } = await measureOthers((customerId, key) => races.record(customerId, key))
    assert.equal(stuck.status, 200)
    assert.ok(slowestMs < promisedMs, `the slowest of the others took ${Math.round(slowestMs)} ms`)
  })

  it('and written to the longer way (into a closed period): others answer within a second', async () => {
    const closed = { occurredAt: Date.UTC(2025, 0, 1) }
    const { slowestMs } = await measureOthers((customerId, key) => races.record(customerId, key, closed))
    assert.ok(slowestMs < promisedMs, `the slowest of the others took ${Math.round(slowestMs)} ms`)
  })

  it('and given a bonus by more callers than there are connections: others are given theirs within a second', async () => {
    const { service } = races
    const lock = await holdCustomer(service, locked)
    const releaseAt = performance.now() + lockedMs
    const bonus = { customerId: locked, featureKey: 'calls', amount: 1 }
    const giving = Array.from({ length: 30 }, () => races.request('POST', '/v1/bonuses', bonus))
    await waitForWaiters(service, 1)
    const startedAt = performance.now()
    const given = await Promise.all(
      free.map((customerId) =>
        races.request('POST', '/v1/bonuses', { customerId, featureKey: 'calls', amount: 1 }),
      ),
    )
    const tookMs = performance.now() - startedAt
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, releaseAt - performance.now())))
    await lock.release()
    await Promise.all(giving)
    assert.deepEqual([...new Set(given.map(({ status }) => status))], [201])
    assert.ok(tookMs < promisedMs, `it took ${Math.round(tookMs)} ms`)
  })

  it('within a batch of one caller: the items of others are applied all the same', async () => {
    const lock = await holdCustomer(races.service, locked)
    const key = `batch-${++round}`
    const events = [locked, ...free].map((customerId) => ({ customerId, featureKey: 'calls', eventKey: key }))
    const sending = races.request('POST', '/v1/usage/batch', { events })
    try {
      // The answer may wait for the one; what the others sent may not.
      await waitForRows(key, others)
    } finally {
      await lock.release()
    }
    const { body } = await sending
    assert.equal(body.results.filter((result: { success: boolean }) => result.success).length, others + 1)
  })
})

async function waitForRows(eventKey: string, count: number): Promise<void> {
  const deadlineAt = performance.now() + 2_500
  for (;;) {
    const rows = await races.service.query('select from usage_event where event_key = $1', [eventKey])
    if (rows.length >= count) return
    assert.ok(performance.now() < deadlineAt, `${rows.length} of ${count} were written while one was locked`)
  }
}
