// Coalescing: every caller gets its own result, in order, from few runs; the queue is bounded.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RequestError } from '../../src/domain/errors.ts'
import { coalesce } from '../../src/storage/coalesce.ts'

/** A run that waits until it is let go, and remembers what it was given. */
function createRun<Result>(compute: (item: number) => Result | Error) {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  const run = async (items: number[]) => {
    batches.push(items)
    await new Promise<void>((resolve) => gates.push(resolve))
    return items.map(compute)
  }
  const openAll = async () => {
    for (let idle = 0; idle < 3; ) {
      const gate = gates.shift()
      gate?.()
      idle = gate ? 0 : idle + 1
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { run, batches, openAll }
}

const limits = { maxBatch: 10, maxQueue: 100, inFlight: 1 }

describe('coalesce', () => {
  it('gives everybody their own result', async () => {
    const { run, openAll } = createRun((item) => item * 10)
    const ask = coalesce({ ...limits, run })
    const asked = Promise.all(Array.from({ length: 50 }, (_, item) => ask(item)))
    await openAll()
    assert.deepEqual(
      await asked,
      Array.from({ length: 50 }, (_, item) => item * 10),
    )
  })

  it('runs items in the order they came, none twice, in batches no larger than allowed', async () => {
    const { run, batches, openAll } = createRun((item) => item)
    const ask = coalesce({ ...limits, run })
    const asked = Promise.all(Array.from({ length: 35 }, (_, item) => ask(item)))
    await openAll()
    await asked
    assert.deepEqual(
      batches.flat(),
      Array.from({ length: 35 }, (_, item) => item),
    )
    assert.ok(batches.every((batch) => batch.length <= 10))
    assert.equal(batches.length, 4)
  })

  it('has no more runs under way than allowed, and gathers what comes meanwhile', async () => {
    const { run, batches, openAll } = createRun((item) => item)
    const ask = coalesce({ ...limits, inFlight: 2, run })
    const asked = [ask(0)]
    await new Promise((resolve) => setImmediate(resolve))
    for (let item = 1; item < 20; item++) {
      asked.push(ask(item))
      if (item % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(batches.length, 2)
    await openAll()
    assert.equal((await Promise.all(asked)).length, 20)
    assert.ok(batches.length < 12)
  })

  it('fails one item alone when its result is an error', async () => {
    const { run, openAll } = createRun((item) => (item === 3 ? new Error('three') : item))
    const ask = coalesce({ ...limits, run })
    const asked = Promise.allSettled([1, 2, 3, 4].map((item) => ask(item)))
    await openAll()
    assert.deepEqual(
      (await asked).map((each) => each.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
  })

  it('fails a whole batch when the run does, and goes on with the next', async () => {
    let runs = 0
    const ask = coalesce<number, number>({
      ...limits,
      run: async (items) => {
        if (runs++ === 0) throw new Error('the connection is gone')
        return items
      },
    })
    const failed = await Promise.allSettled([ask(1), ask(2)])
    assert.deepEqual(
      failed.map((each) => each.status),
      ['rejected', 'rejected'],
    )
    assert.equal(await ask(3), 3)
  })

  it('waits, when it may, until as many have come as last time, and no longer than it may', async () => {
    for (const [patience, sizes] of [
      [60_000, [3, 3]],
      [1, [3, 1]],
    ] as const) {
      const batches: number[] = []
      const ask = coalesce<number, number>({
        ...limits,
        patienceMs: () => patience,
        run: async (items) => {
          batches.push(items.length)
          return items
        },
      })
      await Promise.all([ask(1), ask(2), ask(3)])
      const first = ask(4)
      if (patience === 1) await first
      await Promise.all([first, ask(5), ask(6)])
      assert.deepEqual(batches.slice(0, 2), sizes)
    }
  })

  it('refuses as overloaded what the queue cannot hold, and only that', async () => {
    const { run, openAll } = createRun((item) => item)
    const ask = coalesce({ ...limits, maxQueue: 5, run })
    const asked = Promise.allSettled(Array.from({ length: 8 }, (_, item) => ask(item)))
    await openAll()
    const results = await asked
    assert.deepEqual(
      results.map((each) => each.status),
      [...Array(5).fill('fulfilled'), ...Array(3).fill('rejected')],
    )
    const refused = results.at(-1) as PromiseRejectedResult
    assert.ok(refused.reason instanceof RequestError)
    assert.deepEqual([refused.reason.kind, refused.reason.code], ['unavailable', 'overloaded'])
    const later = ask(9)
    await openAll()
    assert.equal(await later, 9)
  })
})
