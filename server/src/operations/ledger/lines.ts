// Tasks that wait to be written, in a line per customer: a customer is in one batch at a time, so its writes keep their order,
// and whoever has to wait keeps nobody else waiting.
import { overloaded } from '../../domain/errors.ts'
import type { LedgerTask } from '../../domain/ledger/task.ts'
import type { QueueMeter } from '../../telemetry/telemetry.ts'

/** Tells the caller, once the decision is in force. */
export type Answer = () => void

export type Waiting = { task: LedgerTask<Answer>; reject(error: unknown): void }

export type Line = {
  customerHash: string
  waiting: Waiting[]
  /** How often its writes were not confirmed in a row. */
  misses: number
}

const tasksAtMost = 10_000
const batchAtMost = 400
// Few writes cost less in one batch; a second goes beside the first when many wait.
const secondFrom = 100

export function createLines(
  batchesAtOnce: number,
  run: (lines: Line[]) => Promise<void>,
  meter?: QueueMeter,
) {
  const lines = new Map<string, Line>()
  /** Lines with tasks that nobody is working on. */
  const ready = new Set<Line>()
  let tasks = 0
  let readyTasks = 0
  let underWay = 0
  let isScheduled = false

  function add(waiting: Waiting): void {
    if (tasks >= tasksAtMost) {
      waiting.reject(overloaded())
      return
    }
    const { customerHash } = waiting.task
    let line = lines.get(customerHash)
    if (!line) {
      line = { customerHash, waiting: [], misses: 0 }
      lines.set(customerHash, line)
      ready.add(line)
    }
    line.waiting.push(waiting)
    tasks++
    if (meter) meter.waiting = tasks
    if (ready.has(line)) readyTasks++
    schedule()
  }

  // At the end of the turn, so that all requests read from their sockets in this one are gathered.
  function schedule(): void {
    const least = underWay === 0 ? 1 : secondFrom
    if (isScheduled || underWay >= batchesAtOnce || readyTasks < least) return
    isScheduled = true
    setImmediate(start)
  }

  function start(): void {
    isScheduled = false
    const batch = take()
    if (batch.length === 0) return
    underWay++
    void run(batch).finally(() => {
      underWay--
      schedule()
    })
    schedule()
  }

  /** Half of what waits, where that is enough for two batches: Node and PostgreSQL would otherwise take turns and both idle. */
  function take(): Line[] {
    const half = Math.ceil(readyTasks / 2)
    const share = half < secondFrom ? batchAtMost : Math.min(batchAtMost, half)
    const batch: Line[] = []
    let size = 0
    for (const line of ready) {
      if (size >= share) break
      batch.push(line)
      size += line.waiting.length
    }
    if (batch.length > 0) meter?.sizes.observe(size)
    for (const line of batch) {
      ready.delete(line)
      readyTasks -= line.waiting.length
    }
    return batch
  }

  /** The first tasks of a line are done with; it waits for its next batch if there are more. */
  function release(line: Line, done: number): void {
    line.waiting.splice(0, done)
    tasks -= done
    if (meter) meter.waiting = tasks
    if (line.waiting.length === 0) lines.delete(line.customerHash)
    else {
      ready.add(line)
      readyTasks += line.waiting.length
      schedule()
    }
  }

  return { add, release }
}
