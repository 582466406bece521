// The buffer: batches, outages, bounds, reports, and that nothing is counted twice or lost in silence.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBuffer } from '../src/buffer.ts'
import type { BufferedUsage, BufferOptions } from '../src/buffer-options.ts'
import { TollkeeperError } from '../src/errors.ts'
import type { RecordBatch } from '../src/send-batch.ts'

type Results = Awaited<ReturnType<RecordBatch>>['results']
type Script = (events: BufferedUsage[], signal: AbortSignal) => Results | Promise<Results>

const applied = (events: BufferedUsage[]): Results =>
  events.map(() => ({ success: true, result: { applied: true, used: 1 } }))

const unreachable = (status = 0) => {
  throw new TollkeeperError('no', { status, code: 'x' })
}

/** A buffer over a service that answers as the script says; the script can be replaced while it runs. */
function createBufferFixture(options: BufferOptions = {}) {
  const service: { answer: Script } = { answer: applied }
  const batches: BufferedUsage[][] = []
  const lost: [number, string][] = []
  const refused: [string, string][] = []
  const errors: string[] = []
  const buffer = createBuffer(
    async (events, { signal }) => {
      batches.push(events as BufferedUsage[])
      const results = await service.answer(events as BufferedUsage[], signal as AbortSignal)
      return { results, hasErrors: results.some(({ success }) => !success) }
    },
    {
      onLost: (events, reason) => lost.push([events.length, reason]),
      onRefused: (event, { code }) => refused.push([event.eventKey, code]),
      onError: ({ code }) => errors.push(code),
      ...options,
    },
  )
  const fill = (count: number, from = 0) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        buffer.track('acme', 'calls', 1, { eventKey: `e${from + index}` }),
      ),
    )
  const sizes = () => batches.map(({ length }) => length)
  return { buffer, service, batches, lost, refused, errors, fill, sizes }
}

describe('a buffer', () => {
  it('sends batches of at most 100, in order, each event with a key and the time it happened', async () => {
    const { buffer, fill, sizes, batches } = createBufferFixture({ now: () => 1_000 })
    await fill(249)
    await buffer.track('acme', 'calls', 2)
    assert.equal(await buffer.flush(), 0)
    assert.deepEqual(sizes(), [100, 100, 50])
    const sent = batches.flat()
    assert.deepEqual(
      sent.slice(0, 249).map(({ eventKey }) => eventKey),
      Array.from({ length: 249 }, (_, index) => `e${index}`),
    )
    assert.match(sent[249]?.eventKey ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(sent[249]?.occurredAt, 1_000)
  })

  it('sends by itself when a batch is full, and else when the interval is over', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { buffer, fill, sizes } = createBufferFixture({ batchSize: 3, flushIntervalMs: 50 })
    // All that follows from promises has happened when the loop of events turns.
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    await fill(3)
    await turn()
    assert.deepEqual(sizes(), [3])
    t.mock.timers.tick(50)
    await turn()
    await fill(1, 3)
    t.mock.timers.tick(49)
    await turn()
    assert.deepEqual(sizes(), [3])
    t.mock.timers.tick(1)
    await turn()
    assert.deepEqual([sizes(), buffer.size], [[3, 1], 0])
  })

  it('keeps events in an outage and sends each with the key it had', async () => {
    const { buffer, service, fill, batches, errors } = createBufferFixture()
    service.answer = () => unreachable()
    await fill(2)
    assert.equal(await buffer.flush(), 2)
    service.answer = () => unreachable(503)
    assert.equal(await buffer.flush(), 2)
    service.answer = () => unreachable(401)
    assert.equal(await buffer.flush(), 2)
    service.answer = applied
    await fill(1, 2)
    assert.equal(await buffer.flush(), 0)
    assert.deepEqual(
      batches.at(-1)?.map(({ eventKey }) => eventKey),
      ['e0', 'e1', 'e2'],
    )
    assert.equal(errors.length, 3)
  })

  it('does not hammer a failing service: new events wait for the next try', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { buffer, service, fill, sizes } = createBufferFixture({ batchSize: 2 })
    service.answer = () => unreachable()
    await fill(1)
    await buffer.flush()
    await fill(50, 1)
    assert.deepEqual(sizes(), [1])
  })

  it('holds no more than it may, and tells of each event beyond that', async () => {
    const { buffer, service, fill, lost } = createBufferFixture({ maxEvents: 5 })
    service.answer = () => unreachable()
    assert.deepEqual(await fill(7), [true, true, true, true, true, false, false])
    assert.equal(buffer.size, 5)
    assert.deepEqual(lost, [
      [1, 'full'],
      [1, 'full'],
    ])
  })

  it('tells which events were refused and why, and sends the others again only where that may help', async () => {
    const { buffer, service, fill, refused, batches } = createBufferFixture()
    service.answer = ([first]) => [
      ...applied([first as BufferedUsage]),
      { success: false, error: 'gone', code: 'customer_not_found' },
      { success: false, error: 'busy', code: 'overloaded' },
    ]
    await fill(3)
    assert.equal(await buffer.flush(), 1)
    assert.deepEqual(refused, [['e1', 'customer_not_found']])
    service.answer = applied
    await buffer.flush()
    assert.deepEqual(
      batches.at(-1)?.map(({ eventKey }) => eventKey),
      ['e2'],
    )
  })

  it('finds the one event for which a whole request is refused, and sends the rest', async () => {
    const { buffer, service, fill, refused } = createBufferFixture()
    const arrived: string[] = []
    service.answer = (events) => {
      if (events.some(({ eventKey }) => eventKey === 'e5')) unreachable(413)
      arrived.push(...events.map(({ eventKey }) => eventKey))
      return applied(events)
    }
    await fill(8)
    assert.equal(await buffer.flush(), 0)
    assert.deepEqual(refused, [['e5', 'x']])
    assert.deepEqual(arrived, ['e0', 'e1', 'e2', 'e3', 'e4', 'e6', 'e7'])
  })

  it('sends at its close, takes nothing afterwards and gives up what cannot be sent', async () => {
    const good = createBufferFixture()
    await good.fill(2)
    await good.buffer.close()
    assert.deepEqual([good.sizes(), good.lost], [[2], []])
    assert.equal(await good.buffer.track('acme', 'calls'), false)
    assert.deepEqual(good.lost, [[1, 'closed']])

    const bad = createBufferFixture()
    bad.service.answer = () => unreachable()
    await bad.fill(3)
    await bad.buffer.close()
    assert.deepEqual(bad.lost, [[3, 'closed']])
  })

  it('closes in time though the service never answers', async () => {
    const { buffer, service, fill, lost } = createBufferFixture()
    service.answer = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    await fill(1)
    await buffer.close({ timeoutMs: 5 })
    assert.deepEqual(lost, [[1, 'closed']])
  })

  it('goes on when a callback throws, and does not hide it', async (t) => {
    const thrown: unknown[] = []
    t.mock.method(globalThis, 'queueMicrotask', (work: () => void) => {
      try {
        work()
      } catch (error) {
        thrown.push(error)
      }
    })
    const { buffer, service, fill } = createBufferFixture({
      onRefused: () => {
        throw new Error('callback')
      },
    })
    service.answer = (events) => events.map(() => ({ success: false, error: 'no', code: 'no' }))
    await fill(2)
    assert.equal(await buffer.flush(), 0)
    assert.equal(thrown.length, 2)
  })

  it('refuses options that make no sense', () => {
    for (const options of [{ batchSize: 101 }, { batchSize: 0 }, { maxEvents: 0.5 }, { flushIntervalMs: -1 }])
      assert.throws(() => createBufferFixture(options), { code: 'invalid_options' })
  })
})
