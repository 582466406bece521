// The metrics of this instance as text, with what only the database knows; without it, all the rest is told.
import { type Backlog, readBacklog } from '../../storage/backlog.ts'
import type { DatabaseServer } from '../../storage/database-server.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'

export type ReadMetrics = () => Promise<string>

export function createMetrics(
  { registry }: Telemetry,
  { database, states, countOpen }: Pick<DatabaseServer, 'database' | 'states' | 'countOpen'>,
): ReadMetrics {
  let backlog: Backlog[] | undefined
  const { pool } = database
  registry.gauge('tollkeeper_database_up', 'Whether the database answered this reading.', () => [
    [{}, backlog ? 1 : 0],
  ])
  registry.gauge('tollkeeper_database_connections', 'Open connections, by use.', () => [
    [{ use: 'pool_busy' }, pool.totalCount - pool.idleCount],
    [{ use: 'pool_idle' }, pool.idleCount],
    [{ use: 'hot' }, countOpen()],
  ])
  registry.gauge('tollkeeper_database_waiters', 'Who waits for a connection of the pool.', () => [
    [{}, pool.waitingCount],
  ])
  registry.gauge('tollkeeper_held_states', 'Customers whose state is held in memory.', () => [
    [{}, states.count()],
  ])
  registry.gauge('tollkeeper_backlog', 'What is due and not yet done, by job; counted up to 10000.', () =>
    (backlog ?? []).map(({ job, waiting }) => [{ job }, waiting]),
  )
  registry.gauge('tollkeeper_backlog_lag_seconds', 'Since when the oldest of it is due.', () =>
    (backlog ?? []).map(({ job, lagMs }) => [{ job }, lagMs / 1000]),
  )
  return async () => {
    backlog = await readBacklog(pool, Date.now()).catch(() => undefined)
    return registry.write()
  }
}
