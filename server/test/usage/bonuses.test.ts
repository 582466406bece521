// The endpoints of bonuses: giving, listing, changing and deleting them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dayMs, noon, type Stage, startedAt, startStage } from './stage.ts'

let stage: Stage
before(async () => {
  stage = await startStage()
})
after(() => stage.close())

const give = async (customerId: string, amount: number, body: object = {}): Promise<string> =>
  (await stage.give(customerId, amount, body)).body.bonus.bonusId
const change = (id: string, body: object) => stage.request('PUT', `/v1/bonuses/${id}`, { body })
const remove = (id: string) => stage.request('DELETE', `/v1/bonuses/${id}`)
const left = async (id: string): Promise<number> =>
  (await stage.request('GET', `/v1/bonuses/${id}`)).body.bonus.remainingAmount
const list = (query: string) => stage.request('GET', `/v1/bonuses?${query}`)

describe('POST 201', () => {
  it('gives a bonus and tells what the feature has left', async () => {
    const acme = await stage.makeCustomer()
    const sent = { expiresAt: noon + dayMs, reason: 'sorry\nfor the outage', metadata: { ticket: '7' } }
    const { status, body } = await stage.give(acme, 5, sent)
    assert.equal(status, 201)
    const { bonusId, ...bonus } = body.bonus
    assert.match(bonusId, /^[0-9a-f-]{36}$/)
    assert.deepEqual(bonus, {
      customerId: acme,
      featureKey: 'calls',
      amount: 5,
      remainingAmount: 5,
      createdAt: noon,
      updatedAt: noon,
      ...sent,
    })
    assert.equal(body.counterRemaining, 15)
  })

  it('covers overage that is already there', async () => {
    const acme = await stage.makeCustomer()
    await stage.record(acme, 'a', { amount: 13 })
    const { body } = await stage.give(acme, 5)
    assert.deepEqual([body.bonus.remainingAmount, body.counterRemaining], [2, 2])
  })

  it('tells no counterRemaining when the feature is unlimited', async () => {
    await stage.makeProduct('endless', [{ featureKey: 'calls', hasAccess: true, isUnlimited: true }])
    const acme = await stage.makeCustomer({ customProductKeys: ['endless'] })
    assert.equal('counterRemaining' in (await stage.give(acme, 5)).body, false)
  })

  it('gives no access by itself', async () => {
    const acme = await stage.makeCustomer({ customProductKeys: [] })
    assert.equal((await stage.give(acme, 5)).body.counterRemaining, 0)
    const { hasAccess, usage } = await stage.entry(acme)
    assert.deepEqual([hasAccess, usage.remaining, usage.bonusRemaining], [false, 0, 5])
  })
})

describe('POST with Idempotency-Key', () => {
  const keyed = (customerId: string, amount: number, key: string, body: object = {}) =>
    stage.give(customerId, amount, body, { headers: { 'idempotency-key': key } })

  it('gives the first answer again, whatever happened since', async () => {
    const acme = await stage.makeCustomer()
    const first = await keyed(acme, 5, `${acme}-k`, { metadata: { a: '1', b: '2' } })
    await stage.record(acme, 'a', { amount: 12 })
    const again = await keyed(acme, 5, `${acme}-k`, { metadata: { b: '2', a: '1' } })
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal((await list(`customerId=${acme}`)).body.bonuses.length, 1)
  })

  it('answers 409 to another body', async () => {
    const acme = await stage.makeCustomer()
    await keyed(acme, 5, `${acme}-k`)
    assert.equal((await keyed(acme, 6, `${acme}-k`)).headers['x-error-code'], 'idempotency_key_reused')
  })

  it('is not taken by a refused request, and goes with the customer', async () => {
    const acme = await stage.makeCustomer()
    assert.equal((await keyed(acme, 5, `${acme}-k`, { expiresAt: noon })).status, 400)
    assert.equal((await keyed(acme, 5, `${acme}-k`)).status, 201)
    await stage.request('DELETE', `/v1/customers/${acme}`)
    await stage.make('POST', '/v1/customers', { customerId: acme })
    assert.equal((await keyed(acme, 7, `${acme}-k`)).body.bonus.amount, 7)
  })

  it('answers 400 to a key of more than 255 characters', async () => {
    const acme = await stage.makeCustomer()
    assert.equal((await keyed(acme, 5, 'x'.repeat(256))).status, 400)
  })
})

describe('POST 400 and 404', () => {
  it('refuses amounts that are not above zero, expiries that are not ahead, and features that track no usage', async () => {
    await stage.makeFeature('cap', { tracksUsage: false })
    const acme = await stage.makeCustomer()
    for (const body of [
      { amount: 0 },
      { amount: -1 },
      { expiresAt: noon },
      { featureKey: 'cap' },
      { expiresAt: null },
    ])
      assert.equal((await stage.give(acme, 1, body)).status, 400, JSON.stringify(body))
    assert.equal((await stage.give('nobody', 1)).status, 404)
    assert.equal((await stage.give(acme, 1, { featureKey: 'nothing' })).status, 404)
    assert.deepEqual((await list(`customerId=${acme}`)).body, { bonuses: [] })
  })
})

describe('drawing', () => {
  it('takes the plan first, then the soonest expiry, the never-expiring last, then the oldest', async () => {
    const acme = await stage.makeCustomer()
    const never = await give(acme, 2)
    const late = await give(acme, 2, { expiresAt: noon + 9 * dayMs })
    const soon = await give(acme, 2, { expiresAt: noon + dayMs })
    const later = await give(acme, 2)
    const lefts = () => Promise.all([soon, late, never, later].map(left))
    await stage.record(acme, 'a', { amount: 10 })
    assert.deepEqual(await lefts(), [2, 2, 2, 2])
    await stage.record(acme, 'b', { amount: 3 })
    assert.deepEqual(await lefts(), [0, 1, 2, 2])
    await stage.record(acme, 'c', { amount: 4 })
    assert.deepEqual(await lefts(), [0, 0, 0, 1])
  })

  it('returns the last drawn first, and draws again from the first', async () => {
    const acme = await stage.makeCustomer()
    const [soon, never] = [await give(acme, 2, { expiresAt: noon + dayMs }), await give(acme, 5)]
    await stage.record(acme, 'a', { amount: 14 })
    await stage.record(acme, 'b', { amount: -3 })
    assert.deepEqual([await left(soon), await left(never)], [1, 5])
    await stage.record(acme, 'c', { amount: 2 })
    assert.deepEqual([await left(soon), await left(never)], [0, 4])
  })

  it('keeps a bonus across periods, and what one period drew out of the next', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 5)
    await stage.record(acme, 'a', { amount: 12 })
    await stage.setClock(startedAt + 31 * dayMs)
    const { used, bonusUsed, bonusRemaining, remaining } = await stage.usage(acme)
    assert.deepEqual([used, bonusUsed, bonusRemaining, remaining], [0, 0, 3, 13])
    await stage.record(acme, 'b', { amount: 11 })
    await stage.record(acme, 'c', { amount: -11 })
    assert.equal(await left(id), 3)
    await stage.setClock(noon)
  })

  it('shows what a changed plan needs and stores it with the next write', async () => {
    await stage.makeProduct('big', [{ featureKey: 'calls', hasAccess: true, limit: 100 }])
    const acme = await stage.makeCustomer()
    const id = await give(acme, 5)
    await stage.record(acme, 'a', { amount: 14 })
    const assign = (body: object) => stage.make('PUT', `/v1/customers/${acme}`, body)
    await assign({ addCustomProductKeys: ['big'] })
    assert.deepEqual([await left(id), (await stage.usage(acme)).bonusUsed], [5, 0])
    await assign({ removeCustomProductKeys: ['big'] })
    assert.equal(await left(id), 1)
    const { body } = await stage.request('GET', `/v1/customers/${acme}`)
    assert.equal(body.bonuses[0].remainingAmount, 1)
  })
})

describe('PUT', () => {
  it('200: changes what is sent, clears with null, and settles at once', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 2, { expiresAt: noon + dayMs, reason: 'x', metadata: { a: 'b' } })
    await stage.record(acme, 'a', { amount: 15 })
    const { status, body } = await change(id, { amount: 6, expiresAt: null, reason: null, metadata: null })
    assert.equal(status, 200)
    const { amount, remainingAmount, expiresAt, reason, metadata } = body.bonus
    assert.deepEqual([amount, remainingAmount, expiresAt, reason, metadata], [6, 1, undefined, undefined, {}])
    assert.equal(body.counterRemaining, 1)
  })

  it('200: revives an expired one, and ends one early with what is drawn', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 5, { expiresAt: noon + 1 })
    await stage.setClock(noon + dayMs)
    assert.equal((await stage.usage(acme)).bonusRemaining, 0)
    assert.equal((await change(id, { expiresAt: noon + 2 * dayMs })).body.counterRemaining, 15)
    await stage.record(acme, 'a', { amount: 12 })
    assert.equal((await change(id, { amount: 2 })).body.bonus.remainingAmount, 0)
    await stage.setClock(noon)
  })

  it('400 for an expiry that is not ahead, 409 for less than is drawn, 404 for an unknown one', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 5)
    await stage.record(acme, 'a', { amount: 13 })
    assert.equal((await change(id, { expiresAt: noon })).status, 400)
    assert.equal((await change(id, { amount: null })).status, 400)
    assert.equal((await change(id, { amount: 2.999999 })).headers['x-error-code'], 'bonus_drawn')
    assert.equal((await change('00000000-0000-4000-8000-000000000000', { amount: 1 })).status, 404)
    assert.equal((await change('x', { amount: 1 })).status, 404)
  })
})

describe('DELETE', () => {
  it('200 for one of which nothing is drawn, also when all was returned; 404 afterwards', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 5)
    await stage.record(acme, 'a', { amount: 12 })
    assert.equal((await remove(id)).headers['x-error-code'], 'bonus_drawn')
    await stage.record(acme, 'b', { amount: -2 })
    assert.deepEqual((await remove(id)).body, { deleted: true, bonusId: id, counterRemaining: 0 })
    assert.equal((await remove(id)).status, 404)
  })

  it('409 for one that is only shown as drawn', async () => {
    const acme = await stage.makeCustomer({ customProductKeys: [] })
    await stage.record(acme, 'a', { amount: 12 })
    const id = await give(acme, 5)
    await stage.make('PUT', `/v1/customers/${acme}`, { addCustomProductKeys: ['plan'] })
    assert.equal(await left(id), 3)
    assert.equal((await remove(id)).status, 409)
  })
})

describe('GET', () => {
  it('lists all, spent and expired ones too, newest first; by feature; page by page only when asked', async () => {
    await stage.makeFeature('mails')
    const acme = await stage.makeCustomer()
    const spent = await give(acme, 1)
    await stage.record(acme, 'a', { amount: 11 })
    const expired = await give(acme, 1, { expiresAt: noon + 1 })
    await stage.setClock(noon + 2)
    const other = await give(acme, 1, { featureKey: 'mails' })
    const { body } = await list(`customerId=${acme}`)
    assert.deepEqual(
      body.bonuses.map((each: { bonusId: string }) => each.bonusId),
      [other, expired, spent],
    )
    assert.equal('nextCursor' in body, false)
    const page = await list(`customerId=${acme}&limit=2`)
    const next = await list(`customerId=${acme}&limit=2&cursor=${encodeURIComponent(page.body.nextCursor)}`)
    assert.deepEqual([next.body.bonuses[0].bonusId, next.body.nextCursor], [spent, null])
    assert.equal((await list(`customerId=${acme}&featureKey=mails`)).body.bonuses.length, 1)
    await stage.setClock(noon)
  })

  it('answers 400 to a malformed cursor, 404 to an unknown customer or bonus, also of the other environment', async () => {
    const acme = await stage.makeCustomer()
    const id = await give(acme, 1)
    for (const cursor of ['x', Buffer.from('[1,"x"]').toString('base64url')])
      assert.equal((await list(`customerId=${acme}&cursor=${cursor}`)).status, 400, cursor)
    assert.equal((await list('customerId=nobody')).status, 404)
    assert.equal((await stage.request('GET', '/v1/bonuses/x')).status, 404)
    const foreign = await stage.request('GET', `/v1/bonuses/${id}`, { key: stage.service.keys.live })
    assert.equal(foreign.status, 404)
  })

  it('hides bonuses while the feature tracks no usage', async () => {
    await stage.makeFeature('paused')
    const acme = await stage.makeCustomer()
    const id = await give(acme, 1, { featureKey: 'paused' })
    await stage.make('PUT', '/v1/features/paused', { tracksUsage: false })
    assert.deepEqual((await list(`customerId=${acme}`)).body.bonuses, [])
    assert.equal((await change(id, { amount: 2 })).status, 400)
    await stage.make('PUT', '/v1/features/paused', { tracksUsage: true })
    assert.equal(await left(id), 1)
  })
})
