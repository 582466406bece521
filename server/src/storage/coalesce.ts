// Gathers concurrent requests of one kind while the previous statement is under way and sends them as one.
import { overloaded } from '../domain/errors.ts'

export type Coalescer<Item, Result> = (item: Item) => Promise<Result>

/** Instead of a result: the item goes back to the head of the queue, so that nothing overtakes it. */
export const again = Symbol('again')

export type Answer<Result> = Result | Error | typeof again

type Options<Item, Result> = {
  /** One answer per item, in order; an Error is that item's own failure, a rejection everybody's. */
  run(items: Item[]): Promise<Answer<Result>[]>
  maxBatch: number
  maxQueue: number
  inFlight: number
  /** A batch beside another has none of its keys, and is begun only when so many wait. */
  apart?: { from: number; keyOf(item: Item): string }
  /** How long a batch may wait to become as large as the one before it; not at all when absent. */
  patienceMs?(): number
}

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

export function coalesce<Item, Result>(options: Options<Item, Result>): Coalescer<Item, Result> {
  const { run, maxBatch, maxQueue, inFlight, apart, patienceMs = () => 0 } = options
  let queue: Waiting<Item, Result>[] = []
  const keysUnderWay = new Set<string>()
  let underWay = 0
  let itemsUnderWay = 0
  let lastSize = 0
  let scheduled = false
  let waiting: NodeJS.Timeout | undefined

  function enqueue(item: Item): Promise<Result> {
    if (queue.length >= maxQueue) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      schedule()
    })
  }

  // At the end of the turn, so that all requests read from their sockets in this one are gathered.
  function schedule(): void {
    if (underWay >= inFlight || queue.length < leastWaiting()) return
    const isSmall = queue.length < lastSize
    if (!scheduled) {
      scheduled = true
      const ms = isSmall ? patienceMs() : 0
      if (ms > 0) waiting = setTimeout(start, ms)
      else setImmediate(start)
    } else if (waiting && !isSmall) {
      clearTimeout(waiting)
      waiting = undefined
      setImmediate(start)
    }
  }

  const leastWaiting = () => (apart && underWay > 0 ? apart.from : 1)

  function start(): void {
    scheduled = false
    waiting = undefined
    if (underWay >= inFlight) return
    const batch = take()
    if (batch.length === 0) return
    lastSize = batch.length
    underWay++
    itemsUnderWay += batch.length
    void finish(batch)
    schedule()
  }

  /** Half of what is outstanding: with everything in one batch, Node and PostgreSQL would take turns and both idle. */
  function take(): Waiting<Item, Result>[] {
    const outstanding = queue.length + itemsUnderWay
    const share = Math.min(maxBatch, Math.ceil(outstanding / inFlight))
    if (!apart) return queue.splice(0, share)
    const { from, keyOf } = apart
    const free = queue.filter(({ item }) => !keysUnderWay.has(keyOf(item)))
    if (free.length < leastWaiting()) return []
    const batch = new Set(free.slice(0, share < from ? maxBatch : share))
    queue = queue.filter((each) => !batch.has(each))
    for (const { item } of batch) keysUnderWay.add(keyOf(item))
    return [...batch]
  }

  async function finish(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const answers = await run(batch.map((waiting) => waiting.item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index] as Answer<Result>
        if (answer === again) continue
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
      queue.unshift(...batch.filter((_, index) => answers[index] === again))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      itemsUnderWay -= batch.length
      if (apart) for (const { item } of batch) keysUnderWay.delete(apart.keyOf(item))
      schedule()
    }
  }

  return enqueue
}
