// Whether all that a time brings at the simulated provider has happened and was told: its tables beside our inbox.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** `isMoving`: something of it will be tried before the deadline, in real time; what has failed may wait for longer. */
export type UnsettledWork = { isPending: boolean; isMoving: boolean }

export async function readUnsettledWork(
  sql: Sql,
  environment: Environment,
  deadlineAt: number,
): Promise<UnsettledWork> {
  const { rows } = await sql.query<{ is_pending: boolean; is_moving: boolean }>(
    `with work as (
       select true as is_moving from simulator_object
       where environment = $1 and due_at <= (
         select coalesce(frozen_at, clock_ms()) / 1000 from environment where environment = $1
       )
       union all
       select attempts <= 1 or next_attempt_at <= $2 from simulator_delivery where environment = $1
       union all
       select last_error is null or due_at <= $2 from provider_event where environment = $1 and due_at is not null
     )
     select count(*) > 0 as is_pending, coalesce(bool_or(is_moving), false) as is_moving from work`,
    [environment, deadlineAt],
  )
  return { isPending: rows[0]?.is_pending ?? false, isMoving: rows[0]?.is_moving ?? false }
}
