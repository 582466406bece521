// What every store must do, as cases that a test file runs on its own store: the one in memory here, PostgreSQL's with the
// service.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ObjectFilter, Store, StoredBody, StoreSession } from '../src/store/store.ts'

export type OpenedStore = { store: Store; close(): Promise<void> }

const nowhere = { owner: null, dueAt: null }
const body = (id: string, fields: object = {}): StoredBody => ({ id, object: 'thing', created: 1, ...fields })

export function testStore(name: string, openStore: () => Promise<OpenedStore>): void {
  let opened: OpenedStore
  let store: Store
  let count = 0
  /** A kind of its own for each case, so that cases do not see one another's objects. */
  const newKind = () => `kind_${++count}`
  const write = <T>(work: (session: StoreSession) => Promise<T>) => store.write('test', work)
  const listIds = (filter: Omit<ObjectFilter, 'limit'> & { limit?: number }) =>
    store.read('test', async (session) =>
      (await session.listObjects({ limit: 100, ...filter })).map(({ id }) => id),
    )
  const add = (object: string, ids: string[], fields: object = {}, place: object = {}) =>
    write(async (session) => {
      for (const id of ids)
        await session.saveObject(body(id, { object, ...fields }), { ...nowhere, ...place })
    })

  describe(`a store ${name}`, () => {
    before(async () => {
      opened = await openStore()
      store = opened.store
    })
    after(() => opened.close())

    it('gives objects back as they were, without fields that are undefined, in their environment only', async () => {
      const whole = body('whole', { text: 'ä\u2028', list: [1, null, { a: false }], none: undefined })
      await write((session) => session.saveObject(whole, nowhere))
      const { none: _, ...kept } = whole
      const find = (environment: 'test' | 'live') =>
        store.read(environment, (session) => session.findObjects(['whole', 'absent']))
      assert.deepEqual(await find('test'), [kept])
      assert.deepEqual(await find('live'), [])
    })

    it('is not changed by changing what it gave or was given', async () => {
      const given = body('own', { list: [1] })
      await write((session) => session.saveObject(given, nowhere))
      ;(given.list as number[]).push(2)
      const find = () => store.read('test', (session) => session.findObjects(['own']))
      const [first] = await find()
      ;(first as { list: number[] } & StoredBody).list.push(3)
      assert.deepEqual((await find())[0]?.list, [1])
    })

    it('lists newest first, forwards and backwards, with one more than asked for', async () => {
      const object = newKind()
      const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${object}_${letter}`)
      await add(object, ids)
      // Saved again it keeps its place.
      await add(object, [ids[0] as string], { changed: true })
      const newest = ids.toReversed()
      assert.deepEqual(await listIds({ object }), newest)
      assert.deepEqual(await listIds({ object, limit: 2 }), newest.slice(0, 3))
      assert.deepEqual(await listIds({ object, startingAfter: newest[1] as string }), newest.slice(2))
      const before = await listIds({ object, endingBefore: newest[3] as string, limit: 1 })
      assert.deepEqual(before, [newest[2], newest[1]])
    })

    it('lists by owner, content, status, type and time, and leaves out what is deleted', async () => {
      const object = newKind()
      await add(
        object,
        ['f1'],
        { status: 'on', created: 10, items: { data: [{ price: 'p' }] } },
        { owner: 'o' },
      )
      await add(object, ['f2'], { status: 'off', type: 'x', created: 20, metadata: { k: 'v', l: 'w' } })
      await add(object, ['f3'], { deleted: true, created: 30 })
      assert.deepEqual(await listIds({ object }), ['f2', 'f1'])
      assert.deepEqual(await listIds({ object, owner: 'o' }), ['f1'])
      assert.deepEqual(await listIds({ object, contains: { items: { data: [{ price: 'p' }] } } }), ['f1'])
      assert.deepEqual(await listIds({ object, contains: { metadata: { k: 'v' } } }), ['f2'])
      assert.deepEqual(await listIds({ object, contains: { metadata: { k: 'w' } } }), [])
      assert.deepEqual(await listIds({ object, statuses: ['on', 'no'] }), ['f1'])
      assert.deepEqual(await listIds({ object, types: ['x'] }), ['f2'])
      assert.deepEqual(await listIds({ object, createdFrom: 11 }), ['f2'])
      assert.deepEqual(await listIds({ object, createdTo: 19 }), ['f1'])
    })

    it('finds what is due, earliest first', async () => {
      const object = newKind()
      await add(object, ['d1'], {}, { dueAt: 300 })
      await add(object, ['d2'], {}, { dueAt: 100 })
      await add(object, ['d3'], {}, { dueAt: null })
      const due = (now: number, limit = 10) =>
        store.read('test', async (session) => (await session.findDue(now, limit)).map(({ id }) => id))
      assert.deepEqual(await due(99), [])
      assert.deepEqual(await due(300), ['d2', 'd1'])
      assert.deepEqual(await due(300, 1), ['d2'])
      await add(object, ['d2'], {}, { dueAt: null })
      assert.deepEqual(await due(300), ['d1'])
    })

    it('keeps nothing of work that failed, and of a failed attempt nothing but the rest', async () => {
      const object = newKind()
      const failure = new Error('on purpose')
      const fail = async () => {
        throw failure
      }
      await add(object, ['u1'], { text: 'before' })
      await assert.rejects(
        write(async (session) => {
          await session.saveObject(body('u1', { object, text: 'after' }), nowhere)
          await session.saveAnswer('u-key', { fingerprint: 'f', status: 200, body: {} }, 1)
          await fail()
        }),
        failure,
      )
      await write(async (session) => {
        await session.saveObject(body('u2', { object }), nowhere)
        const attempt = session.attempt(async () => {
          await session.saveObject(body('u3', { object }), nowhere)
          await session.enqueueDeliveries('u-event', [1])
          await fail()
        })
        await assert.rejects(attempt, failure)
        await session.saveObject(body('u4', { object }), nowhere)
      })
      assert.deepEqual(await listIds({ object }), ['u4', 'u2', 'u1'])
      const [first] = await store.read('test', (session) => session.findObjects(['u1']))
      assert.equal(first?.text, 'before')
      assert.equal(await store.read('test', (session) => session.findAnswer('u-key')), undefined)
      assert.deepEqual(await store.claimDeliveries(10, 20, 10), [])
    })

    it('lets one piece of work at a time change an environment', async () => {
      await write((session) => session.saveObject(body('counter', { value: 0 }), nowhere))
      const raise = () =>
        write(async (session) => {
          const [found] = await session.findObjects(['counter'])
          await session.saveObject({ ...(found as StoredBody), value: Number(found?.value) + 1 }, nowhere)
        })
      await Promise.all(Array.from({ length: 20 }, raise))
      const [found] = await store.read('test', (session) => session.findObjects(['counter']))
      assert.equal(found?.value, 20)
    })

    it('remembers answers for a day', async () => {
      const answer = { fingerprint: 'f', status: 402, body: { error: { message: 'no' } } }
      const dayMs = 86_400_000
      await write((session) => session.saveAnswer('key', answer, dayMs))
      const find = () => store.read('test', (session) => session.findAnswer('key'))
      const { fingerprint, status, body: kept } = (await find()) ?? {}
      assert.deepEqual({ fingerprint, status, body: kept }, answer)
      await store.prune(2 * dayMs)
      assert.ok(await find())
      await store.prune(2 * dayMs + 1)
      assert.equal(await find(), undefined)
    })

    it('forgets events after thirty days and nothing else', async () => {
      const day = 86_400
      const event = (id: string, created: number) => body(id, { object: 'event', created })
      await write(async (session) => {
        await session.saveObject(event('old', 9 * day), nowhere)
        await session.saveObject(event('young', 11 * day), nowhere)
      })
      await store.prune(40 * day * 1000)
      assert.deepEqual(await listIds({ object: 'event' }), ['young'])
      assert.equal((await store.read('test', (session) => session.findObjects(['whole']))).length, 1)
    })

    it('leases deliveries, in order, until they are done or due again', async () => {
      await write((session) => session.enqueueDeliveries('e1', [1_000, 1_000]))
      await write((session) => session.enqueueDeliveries('e2', [2_000]))
      const claim = async (nowMs: number, leaseUntil: number) =>
        (await store.claimDeliveries(nowMs, leaseUntil, 10)).map((one) => ({ ...one }))
      const first = await claim(1_500, 5_000)
      assert.deepEqual(
        first.map(({ eventId, attempts, environment }) => [eventId, attempts, environment]),
        [
          ['e1', 1, 'test'],
          ['e1', 1, 'test'],
        ],
      )
      assert.deepEqual(await claim(1_500, 5_000), [])
      await store.deleteDelivery(first[0]?.deliveryId as number)
      await store.postponeDelivery(first[1]?.deliveryId as number, 3_000)
      assert.deepEqual(
        (await claim(3_000, 9_000)).map(({ eventId, attempts }) => [eventId, attempts]),
        [
          ['e1', 2],
          ['e2', 1],
        ],
      )
      const both = await Promise.all([claim(9_000, 20_000), claim(9_000, 20_000)])
      assert.equal(both.flat().length, 2)
    })
  })
}
