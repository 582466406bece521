// Lines of waiting tasks: a customer is in one batch at a time and keeps its order; nobody waits for another's line.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { RequestError } from '../../src/domain/errors.ts'
import { createLines, type Line, type Waiting } from '../../src/operations/ledger/lines.ts'

type Batch = { lines: Line[]; end(): Promise<void> }

/** Lines whose batches wait until they are ended, and what each was begun with. */
function start(batchesAtOnce = 2) {
  const batches: Batch[] = []
  const begun: string[][] = []
  const lines = createLines(batchesAtOnce, (batch) => {
    begun.push(batch.flatMap((line) => line.waiting.map(nameOf)))
    return new Promise((resolve) => {
      const end = async () => {
        resolve()
        await nextTurn()
        await nextTurn()
      }
      batches.push({ lines: batch, end })
    })
  })
  const rejected: unknown[] = []
  /** 'a1': the first task of the customer a. */
  const add = (...names: string[]) => {
    for (const name of names) {
      const task = { customerHash: name[0], name } as unknown as Waiting['task']
      lines.add({ task, reject: (error) => rejected.push(error) })
    }
  }
  const release = (batch: number, customer: string, done: number) => {
    const line = batches[batch]?.lines.find((each) => each.customerHash === customer)
    assert.ok(line)
    lines.release(line, done)
  }
  return { add, release, begun, batches, rejected }
}

const nameOf = ({ task }: Waiting): string => (task as unknown as { name: string }).name

const many = (customer: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${customer}${index}`)

/** A name for each of many customers. */
const crowd = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(0x4e00 + index))

describe('waiting tasks', () => {
  it('are gathered to the end of the turn, by customer and in the order they came', async () => {
    const { add, begun } = start()
    add('a1', 'b1', 'a2', 'c1', 'b2')
    assert.deepEqual(begun, [])
    await nextTurn()
    assert.deepEqual(begun, [['a1', 'a2', 'b1', 'b2', 'c1']])
  })

  it('of a customer wait while it is in a batch, and come in the next in their order', async () => {
    const { add, release, begun, batches } = start()
    add('a1', 'a2')
    await nextTurn()
    add('a3')
    await nextTurn()
    assert.deepEqual(begun, [['a1', 'a2']])
    release(0, 'a', 2)
    await batches[0]?.end()
    assert.deepEqual(begun, [['a1', 'a2'], ['a3']])
  })

  it('of a customer are never in two batches, however many wait', async () => {
    const { add, begun } = start()
    add('a1')
    await nextTurn()
    add(...many('a', 500))
    await nextTurn()
    await nextTurn()
    assert.equal(begun.length, 1)
    add(...crowd(100))
    await nextTurn()
    assert.equal(begun.length, 2)
    assert.ok(begun[1]?.every((name) => !name.startsWith('a')))
  })

  it('begin a second batch only where at least 100 wait for it', async () => {
    const { add, begun } = start()
    add('a1')
    await nextTurn()
    const others = crowd(100)
    add(...others.slice(0, 99))
    await nextTurn()
    assert.equal(begun.length, 1)
    add(...others.slice(99))
    await nextTurn()
    assert.deepEqual(begun, [['a1'], others])
  })

  it('begin no more batches than there are connections', async () => {
    const { add, begun, batches } = start()
    add(...crowd(900))
    for (let turn = 0; turn < 5; turn++) await nextTurn()
    assert.equal(begun.length, 2)
    await batches[0]?.end()
    assert.equal(begun.length, 3)
  })

  it('are halved where that is enough for two batches, and no batch takes more than 400 customers’ tasks', async () => {
    const { add, begun } = start()
    add(...crowd(240))
    await nextTurn()
    await nextTurn()
    assert.deepEqual(
      begun.map((names) => names.length),
      [120, 120],
    )
    const large = start()
    large.add(...crowd(1_000))
    await nextTurn()
    assert.equal(large.begun[0]?.length, 400)
  })

  it('that follow in few go in one batch when the one before is over', async () => {
    const { add, release, begun, batches } = start()
    add('a1')
    await nextTurn()
    add('b1', 'c1')
    await nextTurn()
    assert.equal(begun.length, 1)
    release(0, 'a', 1)
    await batches[0]?.end()
    assert.deepEqual(begun[1], ['b1', 'c1'])
  })
})

describe('a line', () => {
  it('that is released undone comes again, whole and with its misses', async () => {
    const { add, release, begun, batches } = start()
    add('a1', 'a2')
    await nextTurn()
    const line = batches[0]?.lines[0]
    assert.ok(line)
    line.misses++
    add('a3')
    release(0, 'a', 0)
    await batches[0]?.end()
    assert.deepEqual(begun[1], ['a1', 'a2', 'a3'])
    assert.equal(batches[1]?.lines[0]?.misses, 1)
  })

  it('of which some are done comes again with the others', async () => {
    const { add, release, begun, batches } = start()
    add('a1', 'a2', 'a3')
    await nextTurn()
    release(0, 'a', 2)
    await batches[0]?.end()
    assert.deepEqual(begun[1], ['a3'])
  })

  it('that somebody works on after its batch is over holds up no other, and comes when it is released', async () => {
    const { add, release, begun, batches } = start()
    add('a1', 'b1')
    await nextTurn()
    release(0, 'b', 1)
    await batches[0]?.end()
    add('a2', 'b2')
    await nextTurn()
    assert.deepEqual(begun.slice(1), [['b2']])
    release(1, 'b', 1)
    await batches[1]?.end()
    release(0, 'a', 1)
    await nextTurn()
    assert.deepEqual(begun.slice(2), [['a2']])
  })

  it('that is done with is forgotten: the customer begins anew', async () => {
    const { add, release, batches } = start()
    add('a1')
    await nextTurn()
    const line = batches[0]?.lines[0]
    assert.ok(line)
    line.misses = 2
    release(0, 'a', 1)
    await batches[0]?.end()
    add('a2')
    await nextTurn()
    assert.notEqual(batches[1]?.lines[0], line)
    assert.equal(batches[1]?.lines[0]?.misses, 0)
  })
})

describe('an overload', () => {
  it('is refused from 10,000 tasks on, in batches or not, and only while it lasts', async () => {
    const { add, release, rejected } = start()
    add(...many('a', 9_999))
    await nextTurn()
    add('b1')
    assert.equal(rejected.length, 0)
    add('b2', 'a0')
    assert.equal(rejected.length, 2)
    for (const error of rejected) {
      assert.ok(error instanceof RequestError)
      assert.deepEqual([error.kind, error.code], ['unavailable', 'overloaded'])
    }
    release(0, 'a', 1)
    add('b3')
    assert.equal(rejected.length, 2)
  })
})
