// The business clock of an environment: the database's, unless it is frozen.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type Clock = { now: number; frozen: boolean }

export async function readClock(sql: Sql, environment: Environment): Promise<Clock> {
  const { rows } = await sql.query<Clock>(
    `select coalesce(frozen_at, clock_ms()) as now, frozen_at is not null as frozen
     from environment where environment = $1`,
    [environment],
  )
  const clock = rows[0]
  if (!clock) throw new Error(`there is no environment ${environment}`)
  return clock
}

/** Call it under the catalogue's lock: the frozen clock is of one revision with the catalogue. */
export async function writeClock(sql: Sql, environment: Environment, frozenAt: number | null): Promise<void> {
  await sql.query('update environment set frozen_at = $2 where environment = $1', [environment, frozenAt])
}
