// GET, PUT and DELETE /v1/usage/{id}, and the list of events.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, noon, startedAt, startUsageFixture, type UsageFixture } from './usage-fixture.ts'

let fixture: UsageFixture
before(async () => {
  fixture = await startUsageFixture()
})
after(() => fixture.close())

const record = async (customerId: string, eventKey: string, body: object = {}): Promise<string> =>
  (await fixture.record(customerId, eventKey, body)).body.eventId
const amend = (id: string, body: object) => fixture.request('PUT', `/v1/usage/${id}`, { body })
const remove = (id: string) => fixture.request('DELETE', `/v1/usage/${id}`)
const read = (id: string) => fixture.request('GET', `/v1/usage/${id}`)

describe('PUT 200', () => {
  it('changes the amount, and the period follows at once', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a', { amount: 4, metadata: { by: 'x' } })
    const { status, body } = await amend(id, { amount: 1.5 })
    assert.equal(status, 200)
    assert.deepEqual([body.amount, body.metadata, body.eventKey], [1.5, { by: 'x' }, 'a'])
    assert.equal((await fixture.usage(acme)).used, 1.5)
  })

  it('moves an event to another period, and both follow', async () => {
    const acme = await fixture.makeCustomer()
    await record(acme, 'stays', { amount: 2 })
    const id = await record(acme, 'moves', { amount: 3 })
    await amend(id, { occurredAt: startedAt - 1 })
    assert.equal((await fixture.usage(acme)).used, 2)
    assert.equal((await fixture.record(acme, 'there', { amount: 1, occurredAt: startedAt - 2 })).body.used, 4)
  })

  it('clears the key and metadata with null; the key stays taken', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a', { metadata: { by: 'x' } })
    const { body } = await amend(id, { eventKey: null, metadata: null })
    assert.deepEqual([body.eventKey, body.metadata], [undefined, {}])
    assert.equal((await fixture.record(acme, 'a')).body.reason, 'duplicate_event')
  })

  it('changes nothing when nothing is sent', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a', { amount: 4 })
    const before = (await read(id)).body
    assert.deepEqual((await amend(id, {})).body, before)
  })

  it('may give an event back a key that it had before', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a')
    await amend(id, { eventKey: 'b' })
    assert.equal((await amend(id, { eventKey: 'a' })).body.eventKey, 'a')
    assert.equal((await fixture.record(acme, 'b')).body.eventId, id)
  })

  it('leaves draws of closed periods settled', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    const id = await record(acme, 'a', { amount: 13 })
    await fixture.setClock(startedAt + 31 * dayMs)
    await amend(id, { amount: 1 })
    assert.equal((await fixture.usage(acme)).bonusRemaining, 2)
    await fixture.setClock(noon)
  })
})

describe('DELETE 200', () => {
  it('takes the event out of its period and gives back what it drew', async () => {
    const acme = await fixture.makeCustomer()
    await fixture.give(acme, 5)
    const id = await record(acme, 'a', { amount: 12 })
    assert.deepEqual((await remove(id)).body, { deletedCount: 1 })
    const { used, bonusUsed, remaining } = await fixture.usage(acme)
    assert.deepEqual([used, bonusUsed, remaining], [0, 0, 15])
  })
})

describe('400', () => {
  it('for null where nothing can be cleared, unknown fields and times too far ahead', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a')
    for (const body of [{ amount: null }, { occurredAt: null }, { used: 1 }, { occurredAt: noon + 300_001 }])
      assert.equal((await amend(id, body)).status, 400, JSON.stringify(body))
  })

  it('for PUT and DELETE while the feature tracks no usage, when GET does not show the event', async () => {
    await fixture.makeFeature('paused')
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a', { featureKey: 'paused' })
    await fixture.make('PUT', '/v1/features/paused', { tracksUsage: false })
    assert.deepEqual([(await amend(id, { amount: 2 })).status, (await remove(id)).status], [400, 400])
    assert.equal((await read(id)).status, 404)
    await fixture.make('PUT', '/v1/features/paused', { tracksUsage: true })
    assert.equal((await read(id)).body.amount, 1)
  })
})

describe('404', () => {
  it('for what was deleted, never was, or belongs to the other environment', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a')
    assert.equal(
      (await fixture.request('GET', `/v1/usage/${id}`, { key: fixture.service.keys.live })).status,
      404,
    )
    await remove(id)
    for (const each of [id, 'evt_x', `${id.slice(0, -1)}_`]) {
      assert.equal((await read(each)).status, 404)
      assert.equal((await amend(each, { amount: 1 })).status, 404)
      assert.equal((await remove(each)).status, 404)
    }
  })

  it('for an event of a deleted customer, also when one made anew has an event of the same key', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a')
    await fixture.request('DELETE', `/v1/customers/${acme}`)
    await fixture.make('POST', '/v1/customers', { customerId: acme, usageStartedAt: startedAt })
    const other = await record(acme, 'a')
    assert.notEqual(other, id)
    assert.equal((await read(id)).status, 404)
    assert.equal((await amend(id, { amount: 5 })).status, 404)
    assert.equal((await remove(id)).status, 404)
    assert.equal((await fixture.usage(acme)).used, 1)
  })
})

describe('409', () => {
  it('below_zero, for an edit that would leave a period below zero', async () => {
    const acme = await fixture.makeCustomer()
    const id = await record(acme, 'a', { amount: 4 })
    await record(acme, 'b', { amount: -3 })
    for (const answer of [
      await remove(id),
      await amend(id, { amount: 2 }),
      await amend(id, { occurredAt: startedAt - 1 }),
    ])
      assert.equal(answer.headers['x-error-code'], 'below_zero')
    assert.equal((await fixture.usage(acme)).used, 1)
    assert.equal((await amend(id, { amount: 3 })).status, 200)
  })

  it('event_key_reused, for a key that another event took, even if that was deleted', async () => {
    const acme = await fixture.makeCustomer()
    const [a, b] = [await record(acme, 'a'), await record(acme, 'b')]
    await remove(b)
    assert.equal((await amend(a, { eventKey: 'b' })).headers['x-error-code'], 'event_key_reused')
  })
})

describe('GET /v1/usage', () => {
  const list = async (query: string) => fixture.request('GET', `/v1/usage?${query}`)

  it('lists from ≤ occurredAt < to, newest first, deleted ones absent, page by page', async () => {
    const acme = await fixture.makeCustomer()
    const times = [5, 3, 3, 1, 2, 4].map((hours) => noon - hours * 3_600_000)
    const ids: string[] = []
    for (const [index, occurredAt] of times.entries())
      ids.push(await record(acme, `k${index}`, { occurredAt }))
    await remove(ids[4] as string)
    const expected = [3, 2, 1, 5, 0].map((index) => ids[index])
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await list(`customerId=${acme}&limit=2${cursor}`)
      seen.push(...body.events.map((event: { id: string }) => event.id))
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
    } while (cursor)
    assert.deepEqual(seen, expected)
    const part = await list(`customerId=${acme}&from=${times[1]}&to=${times[3]}`)
    assert.deepEqual(
      part.body.events.map((event: { id: string }) => event.id),
      [2, 1].map((index) => ids[index]),
    )
    for (const from of [times[3], (times[3] as number) + 1]) {
      const { status, body } = await list(`customerId=${acme}&from=${from}&to=${times[3]}`)
      assert.deepEqual([status, body.error], [400, 'from must lie before to.'])
    }
  })

  it('finds the event that has a key of a feature; 400 without the feature', async () => {
    const acme = await fixture.makeCustomer()
    const { body } = await fixture.record(acme, 'key one', { occurredAt: noon - 5 })
    await fixture.record(acme, 'key two')
    const find = async (query: string) => {
      const answer = await fixture.request('GET', `/v1/usage?customerId=${acme}&${query}`)
      return answer.status === 200
        ? answer.body.events.map((event: { id: string }) => event.id)
        : answer.body.error
    }
    assert.deepEqual(await find('featureKey=calls&eventKey=key%20one'), [body.eventId])
    assert.deepEqual(await find(`featureKey=calls&eventKey=key%20one&from=${noon}`), [])
    assert.deepEqual(await find('featureKey=calls&eventKey=other'), [])
    assert.match(await find('eventKey=key%20one'), /^featureKey is required with eventKey/)
    await fixture.make('PUT', `/v1/usage/${body.eventId}`, { eventKey: 'renamed' })
    assert.deepEqual(await find('featureKey=calls&eventKey=renamed'), [body.eventId])
    assert.deepEqual(await find('featureKey=calls&eventKey=key%20one'), [])
    await fixture.request('DELETE', `/v1/usage/${body.eventId}`)
    assert.deepEqual(await find('featureKey=calls&eventKey=renamed'), [])
  })

  it('filters by feature', async () => {
    await fixture.makeFeature('mails')
    const acme = await fixture.makeCustomer()
    await record(acme, 'a')
    const id = await record(acme, 'b', { featureKey: 'mails' })
    const { body } = await list(`customerId=${acme}&featureKey=mails`)
    assert.deepEqual([body.events.length, body.events[0].id, body.nextCursor], [1, id, null])
  })

  it('answers 400 without a customer or with a malformed cursor, 404 for an unknown customer or feature', async () => {
    const acme = await fixture.makeCustomer()
    assert.equal((await list('')).status, 400)
    assert.equal((await list(`customerId=${acme}&cursor=x`)).status, 400)
    assert.equal((await list('customerId=nobody')).status, 404)
    assert.equal((await list(`customerId=${acme}&featureKey=nothing`)).status, 404)
  })
})
