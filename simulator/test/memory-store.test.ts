// The store in memory: the cases of every store, and the file that keeps it over an end and a new start.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createMemoryStore } from '../src/store/memory-store.ts'
import { testStore } from './store-cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-simulator-'))
after(() => rmSync(folder, { recursive: true, force: true }))

testStore('in memory', async () => {
  const store = createMemoryStore()
  return { store, close: store.close }
})

testStore('in memory with a file', async () => {
  const store = createMemoryStore({ file: join(folder, 'cases.json') })
  return { store, close: store.close }
})

describe('the file', () => {
  it('brings back objects, answers, deliveries, order and clock', async () => {
    const file = join(folder, 'kept.json')
    const first = createMemoryStore({ file })
    const nowhere = { owner: null, dueAt: null }
    await first.write('live', async (session) => {
      // A body may itself look like the way the file writes its maps.
      await session.saveObject({ id: 'a', object: 'x', created: 1, metadata: { map: 'no' } }, nowhere)
      await session.saveObject({ id: 'b', object: 'x', created: 1, only: { map: [] } }, nowhere)
      await session.saveAnswer('key', { fingerprint: 'f', status: 200, body: { ok: true } }, 1)
      await session.enqueueDeliveries('e', [7])
    })
    first.setClock('live', 1_234)
    await first.close()

    const second = createMemoryStore({ file })
    const list = () => second.read('live', (session) => session.listObjects({ object: 'x', limit: 10 }))
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      ['b', 'a'],
    )
    assert.deepEqual((await list())[0]?.only, { map: [] })
    await second.write('live', (session) => session.saveObject({ id: 'c', object: 'x', created: 1 }, nowhere))
    assert.equal((await list())[0]?.id, 'c')
    assert.equal((await second.read('live', (session) => session.findAnswer('key')))?.status, 200)
    assert.equal((await second.claimDeliveries(7, 8, 1))[0]?.eventId, 'e')
    assert.equal(await second.readClock('live'), 1_234)
    await second.close()
  })
})
