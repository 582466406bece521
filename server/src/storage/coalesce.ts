// Gathers concurrent requests of one kind while the previous statement is under way and sends them as one.
import { overloaded } from '../domain/errors.ts'
import type { QueueMeter } from '../telemetry/telemetry.ts'

export type Coalescer<Item, Result> = (item: Item) => Promise<Result>

type Options<Item, Result> = {
  /** One answer per item, in order; an Error is that item's own failure, a rejection everybody's. */
  run(items: Item[]): Promise<(Result | Error)[]>
  maxBatch: number
  maxQueue: number
  inFlight: number
  /** How long a batch may wait to become as large as the one before it; not at all when absent. */
  patienceMs?(): number
  meter?: QueueMeter | undefined
}

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

export function coalesce<Item, Result>(options: Options<Item, Result>): Coalescer<Item, Result> {
  const { run, maxBatch, maxQueue, inFlight, patienceMs = () => 0, meter } = options
  const queue: Waiting<Item, Result>[] = []
  let underWay = 0
  let itemsUnderWay = 0
  let lastSize = 0
  let scheduled = false
  let waiting: NodeJS.Timeout | undefined

  function enqueue(item: Item): Promise<Result> {
    if (queue.length >= maxQueue) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (meter) meter.waiting = queue.length
      schedule()
    })
  }

  // At the end of the turn, so that all requests read from their sockets in this one are gathered.
  function schedule(): void {
    if (underWay >= inFlight || queue.length === 0) return
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

  function start(): void {
    scheduled = false
    waiting = undefined
    if (underWay >= inFlight || queue.length === 0) return
    // Half of what is outstanding: with everything in one batch, Node and PostgreSQL would take turns and both idle.
    const share = Math.ceil((queue.length + itemsUnderWay) / inFlight)
    const batch = queue.splice(0, Math.min(maxBatch, share))
    lastSize = batch.length
    if (meter) {
      meter.waiting = queue.length
      meter.sizes.observe(batch.length)
    }
    underWay++
    itemsUnderWay += batch.length
    void finish(batch)
    schedule()
  }

  async function finish(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map((each) => each.item))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      underWay--
      itemsUnderWay -= batch.length
      schedule()
    }
  }

  return enqueue
}
