// The business clock of an environment: real time, unless it is frozen.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type Clock = { now: number; frozen: boolean }

export async function readClock(sql: Sql, environment: Environment): Promise<Clock> {
  const { rows } = await sql.query<{ frozen_at: number | null }>(
    'select frozen_at from environment where environment = $1',
    [environment],
  )
  return toClock(rows[0]?.frozen_at ?? null)
}

/** Counts as a change of the catalogue: whatever is held in memory is looked at anew. */
export async function writeClock(
  sql: Sql,
  environment: Environment,
  frozenAt: number | null,
): Promise<Clock> {
  await sql.query(
    'update environment set frozen_at = $2, catalogue_revision = catalogue_revision + 1 where environment = $1',
    [environment, frozenAt],
  )
  return toClock(frozenAt)
}

const toClock = (frozenAt: number | null): Clock => ({
  now: frozenAt ?? Date.now(),
  frozen: frozenAt !== null,
})
