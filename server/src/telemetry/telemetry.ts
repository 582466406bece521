// What one instance measures of itself. Nothing is labelled by customer or key: their number has no bound.
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Counter, createRegistry, type Histogram, type Registry } from './registry.ts'

const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const statementBounds = [0.0002, 0.0005, ...secondBounds.slice(0, 12)]
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export type Queue = 'admit_read' | 'admit_write' | 'load_state' | 'write'

/** Of a queue whose items are worked off in batches. */
export type QueueMeter = { sizes: Histogram; waiting: number }

export type Telemetry = {
  registry: Registry
  /** By route; a series is made at the first answer of a status. */
  answered(method: string, route: string): (status: number, ms: number) => void
  /** Writes to ledgers, by how they were decided. */
  writes: { memory: Counter; locked: Counter }
  queues: Record<Queue, QueueMeter>
  statement(name: string): Histogram
  transactions: Histogram
  jobFailed(job: string): void
  close(): void
}

export function createTelemetry(version: string): Telemetry {
  const registry = createRegistry()
  const requests = registry.histogram(
    'tollkeeper_http_request_duration_seconds',
    'Answered requests, from their first byte to the last of the answer.',
    secondBounds,
  )
  const writes = registry.counter(
    'tollkeeper_writes_total',
    'Writes to ledgers: decided in memory and confirmed, or under the customer’s lock.',
  )
  const sizes = registry.histogram('tollkeeper_batch_size', 'Items per batch, by queue.', sizeBounds)
  const statements = registry.histogram(
    'tollkeeper_statement_duration_seconds',
    'Statements of the hot paths, each for many requests.',
    statementBounds,
  )
  const transactions = registry.histogram(
    'tollkeeper_transaction_duration_seconds',
    'Transactions on connections of the pool, the wait for one included.',
    statementBounds,
  )
  const failures = registry.counter('tollkeeper_job_failures_total', 'Failed runs of background jobs.')
  const toQueue = (queue: Queue): QueueMeter => ({ sizes: sizes({ queue }), waiting: 0 })
  const queues = {
    admit_read: toQueue('admit_read'),
    admit_write: toQueue('admit_write'),
    load_state: toQueue('load_state'),
    write: toQueue('write'),
  }
  registry.gauge('tollkeeper_queue_waiting', 'Items that wait for their batch, by queue.', () =>
    Object.entries(queues).map(([queue, { waiting }]) => [{ queue }, waiting]),
  )
  registry.gauge('tollkeeper_build_info', 'The version that runs.', () => [[{ version }, 1]])
  const stopWatching = addProcess(registry)
  return {
    registry,
    answered: (method, route) => createAnswered((status) => requests({ method, route, status })),
    writes: { memory: writes({ way: 'memory' }), locked: writes({ way: 'locked' }) },
    queues,
    statement: (name) => statements({ statement: name }),
    transactions: transactions(),
    jobFailed: (job) => failures({ job }).add(1),
    close: stopWatching,
  }
}

function createAnswered(toSeries: (status: number) => Histogram): (status: number, ms: number) => void {
  const byStatus = new Map<number, Histogram>()
  return (status, ms) => {
    let series = byStatus.get(status)
    if (!series) {
      series = toSeries(status)
      byStatus.set(status, series)
    }
    series.observe(ms / 1000)
  }
}

/** The process itself: its event loop, processor time and memory. */
function addProcess(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let before: EventLoopUtilization = performance.eventLoopUtilization()
  registry.gauge(
    'tollkeeper_event_loop_delay_seconds',
    'How late the event loop came since the last reading.',
    () => {
      const at = (quantile: string, ns: number) => [{ quantile }, Math.max(0, ns / 1e9 - 0.02)] as const
      const read = [at('0.5', delay.percentile(50)), at('0.99', delay.percentile(99)), at('1', delay.max)]
      delay.reset()
      return read
    },
  )
  registry.gauge(
    'tollkeeper_event_loop_utilization',
    'The share of time in which the event loop was busy since the last reading.',
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return [[{}, utilization]]
    },
  )
  registry.total('process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return [[{}, (user + system) / 1e6]]
  })
  registry.gauge('process_resident_memory_bytes', 'Memory of the process.', () => [
    [{}, process.memoryUsage.rss()],
  ])
  registry.gauge('nodejs_heap_used_bytes', 'Memory in use by objects.', () => [
    [{}, process.memoryUsage().heapUsed],
  ])
  registry.gauge('process_start_time_seconds', 'When the process started, as Unix time.', () => [
    [{}, performance.timeOrigin / 1000],
  ])
  return () => delay.disable()
}
