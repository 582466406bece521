// Which demo data there is: the run that makes it, and what it made.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type DemoRun = {
  runId: string
  /** Business time that everything is counted back from. */
  madeAt: number
  /** How many of its customers, in their order, are complete. */
  customersMade: number
  isFinished: boolean
  isRemoved: boolean
}

export type DemoKind = 'feature' | 'product' | 'customer'

type Row = {
  run_id: string
  made_at: number
  customers_made: number
  finished_at: number | null
  removed_at: number | null
}

const columns = 'run_id, made_at, customers_made, finished_at, removed_at'

const fromRow = (row: Row): DemoRun => ({
  runId: row.run_id,
  madeAt: row.made_at,
  customersMade: row.customers_made,
  isFinished: row.finished_at !== null,
  isRemoved: row.removed_at !== null,
})

export async function findDemo(sql: Sql, environment: Environment): Promise<DemoRun | undefined> {
  const { rows } = await sql.query<Row>(`select ${columns} from demo where environment = $1`, [environment])
  return rows[0] && fromRow(rows[0])
}

/** Undefined when there is anything in the environment, or demo data that was not removed. */
export async function beginDemo(
  sql: Sql,
  environment: Environment,
  runId: string,
  madeAt: number,
): Promise<DemoRun | undefined> {
  const { rows } = await sql.query<Row>(
    `insert into demo (environment, run_id, made_at)
     select $1, $2, $3
     where not exists (select from feature where environment = $1)
       and not exists (select from product where environment = $1)
       and not exists (select from customer where environment = $1)
     on conflict (environment) do update set
       run_id = excluded.run_id, made_at = excluded.made_at, customers_made = 0, due_at = null,
       finished_at = null, removed_at = null
       where demo.removed_at is not null
     returning ${columns}`,
    [environment, runId, madeAt],
  )
  return rows[0] && fromRow(rows[0])
}

/** So many customers are complete; the next are made when it is due. */
export async function noteDemoProgress(
  sql: Sql,
  environment: Environment,
  { runId, customersMade, dueAt }: { runId: string; customersMade: number; dueAt: number },
): Promise<void> {
  await sql.query(
    `update demo set customers_made = greatest(customers_made, $3), due_at = $4
     where environment = $1 and run_id = $2 and finished_at is null and removed_at is null`,
    [environment, runId, customersMade, dueAt],
  )
}

/** Takes over one that is to be gone on with; nobody else takes it until `leaseEndsAt`. */
export async function claimDemo(
  sql: Sql,
  now: number,
  leaseEndsAt: number,
): Promise<(DemoRun & { environment: Environment }) | undefined> {
  const { rows } = await sql.query<Row & { environment: Environment }>(
    `update demo set due_at = $2
     where environment in (select environment from demo where due_at <= $1 limit 1 for update skip locked)
     returning environment, ${columns}`,
    [now, leaseEndsAt],
  )
  return rows[0] && { ...fromRow(rows[0]), environment: rows[0].environment }
}

export async function finishDemo(
  sql: Sql,
  environment: Environment,
  runId: string,
  at: number,
): Promise<void> {
  await sql.query(
    `update demo set finished_at = $3, due_at = null
     where environment = $1 and run_id = $2 and removed_at is null`,
    [environment, runId, at],
  )
}

/** From now on nothing is added to it; what it made is listed until it is removed. */
export async function endDemo(sql: Sql, environment: Environment, at: number): Promise<void> {
  await sql.query(
    'update demo set removed_at = coalesce(removed_at, $2), due_at = null where environment = $1',
    [environment, at],
  )
}

/** False when the run was ended meanwhile. */
export async function noteDemoObject(
  sql: Sql,
  environment: Environment,
  { runId, kind, objectId }: { runId: string; kind: DemoKind; objectId: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `insert into demo_object (environment, kind, object_id)
     select environment, $3, $4 from demo where environment = $1 and run_id = $2 and removed_at is null
     on conflict (environment, kind, object_id) do update set kind = excluded.kind`,
    [environment, runId, kind, objectId],
  )
  return rowCount === 1
}

export async function listDemoObjects(sql: Sql, environment: Environment, kind: DemoKind): Promise<string[]> {
  const { rows } = await sql.query<{ object_id: string }>(
    'select object_id from demo_object where environment = $1 and kind = $2 order by object_id',
    [environment, kind],
  )
  return rows.map((row) => row.object_id)
}

export async function forgetDemoObjects(
  sql: Sql,
  environment: Environment,
  kind: DemoKind,
  objectIds: readonly string[],
): Promise<void> {
  await sql.query(
    'delete from demo_object where environment = $1 and kind = $2 and object_id = any($3::uuid[])',
    [environment, kind, objectIds],
  )
}

/** The customers of the demo that are still there: by uid. */
export async function listDemoCustomers(
  sql: Sql,
  environment: Environment,
): Promise<{ customerUid: string; customerId: string; providerCustomerId: string | undefined }[]> {
  const { rows } = await sql.query<{
    customer_uid: string
    customer_id: string
    provider_customer_id: string | null
  }>(
    `select c.customer_uid, c.customer_id, c.provider_customer_id
     from demo_object o join customer c on c.customer_uid = o.object_id and c.environment = o.environment
     where o.environment = $1 and o.kind = 'customer'
     order by c.customer_uid`,
    [environment],
  )
  return rows.map((row) => ({
    customerUid: row.customer_uid,
    customerId: row.customer_id,
    providerCustomerId: row.provider_customer_id ?? undefined,
  }))
}
