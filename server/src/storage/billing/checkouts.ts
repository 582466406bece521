// Checkouts under way: which session a customer's next call may share, and where a customer returns to.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type Checkout = {
  customerUid: string
  checkoutKey: string
  requestHash: string
  checkoutSessionId: string | undefined
  successUrl: string | undefined
}

type Row = {
  customer_uid: string
  checkout_key: string
  request_hash: string
  checkout_session_id: string | null
  success_url: string | null
}

const columns = 'customer_uid, checkout_key, request_hash, checkout_session_id, success_url'

const fromRow = (row: Row): Checkout => ({
  customerUid: row.customer_uid,
  checkoutKey: row.checkout_key,
  requestHash: row.request_hash,
  checkoutSessionId: row.checkout_session_id ?? undefined,
  successUrl: row.success_url ?? undefined,
})

/** Call it under the customer's lock. */
export async function findCurrentCheckout(sql: Sql, uid: string): Promise<Checkout | undefined> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from checkout where customer_uid = $1 and superseded_at is null`,
    [uid],
  )
  return rows[0] && fromRow(rows[0])
}

export async function insertCheckout(
  sql: Sql,
  checkout: Omit<Checkout, 'checkoutSessionId'> & {
    pricingTableReleaseId: string | undefined
    metadata: Record<string, string>
  },
  now: number,
): Promise<void> {
  await sql.query(
    'update checkout set superseded_at = $2, close_due_at = $2 where customer_uid = $1 and superseded_at is null',
    [checkout.customerUid, now],
  )
  await sql.query(
    `insert into checkout (customer_uid, checkout_key, request_hash, success_url, pricing_table_release_id, metadata,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      checkout.customerUid,
      checkout.checkoutKey,
      checkout.requestHash,
      checkout.successUrl,
      checkout.pricingTableReleaseId,
      JSON.stringify(checkout.metadata),
      now,
    ],
  )
}

/** For a checkout that the provider refused for good: the next call makes another, with a key of its own. */
export async function endRefusedCheckout(
  sql: Sql,
  { customerUid, checkoutKey }: Checkout,
  now: number,
): Promise<void> {
  await sql.query(
    `update checkout set superseded_at = $3
     where customer_uid = $1 and checkout_key = $2 and superseded_at is null and checkout_session_id is null`,
    [customerUid, checkoutKey, now],
  )
}

/** False when the customer was deleted, or linked to another provider customer, meanwhile. */
export async function saveCheckoutSession(
  sql: Sql,
  { customerUid, checkoutKey }: Checkout,
  providerCustomerId: string,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update checkout set checkout_session_id = $3
     where customer_uid = $1 and checkout_key = $2
       and exists (select from customer where customer_uid = $1 and provider_customer_id = $4)`,
    [customerUid, checkoutKey, sessionId, providerCustomerId],
  )
  return rowCount === 1
}

export type Superseded = {
  customerUid: string
  environment: Environment
  checkoutKey: string
  checkoutSessionId: string
}

/**
 * Takes over sessions that may still be open though another checkout took their place, of one customer or of all; nobody else
 * takes them until `leaseEndsAt`.
 */
export async function claimSuperseded(
  sql: Sql,
  {
    customerUid,
    now,
    leaseEndsAt,
    limit,
  }: { customerUid?: string; now: number; leaseEndsAt: number; limit: number },
): Promise<Superseded[]> {
  const { rows } = await sql.query<{
    customer_uid: string
    environment: Environment
    checkout_key: string
    checkout_session_id: string
  }>(
    `update checkout k set close_due_at = $3
     from customer c
     where c.customer_uid = k.customer_uid and (k.customer_uid, k.checkout_key) in (
       select customer_uid, checkout_key from checkout
       where close_due_at <= $2 and checkout_session_id is not null and ($1::uuid is null or customer_uid = $1)
       order by close_due_at limit $4 for update skip locked
     )
     returning k.customer_uid, c.environment, k.checkout_key, k.checkout_session_id`,
    [customerUid, now, leaseEndsAt, limit],
  )
  return rows.map((row) => ({
    customerUid: row.customer_uid,
    environment: row.environment,
    checkoutKey: row.checkout_key,
    checkoutSessionId: row.checkout_session_id,
  }))
}

/** Its session is closed, or `dueAt` is when to try again. */
export async function finishSuperseded(
  sql: Sql,
  { customerUid, checkoutKey }: Superseded,
  dueAt: number | null,
): Promise<void> {
  await sql.query('update checkout set close_due_at = $3 where customer_uid = $1 and checkout_key = $2', [
    customerUid,
    checkoutKey,
    dueAt,
  ])
}

/** Where a return leads: the checkout and the environment of its customer. */
export async function findCheckoutByKey(
  sql: Sql,
  checkoutKey: string,
): Promise<(Checkout & { environment: Environment }) | undefined> {
  const { rows } = await sql.query<Row & { environment: Environment }>(
    `select c.environment, ${columns
      .split(', ')
      .map((column) => `k.${column}`)
      .join(', ')}
     from checkout k join customer c on c.customer_uid = k.customer_uid where k.checkout_key = $1`,
    [checkoutKey],
  )
  return rows[0] && { ...fromRow(rows[0]), environment: rows[0].environment }
}

export async function pruneCheckouts(sql: Sql, before: number): Promise<void> {
  await sql.query('delete from checkout where created_at < $1', [before])
}
