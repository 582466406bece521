// The customer's side of the payment provider: the link, what the provider must still be told, and the order of fetches.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

export type ProviderLink = {
  customerUid: string
  environment: Environment
  customerId: string
  name: string | undefined
  email: string | undefined
  providerCustomerId: string | undefined
  linkKey: string
  attempts: number
  /** Whether the provider must still be told of something. */
  isDue: boolean
}

type Row = {
  customer_uid: string
  environment: Environment
  customer_id: string
  name: string | null
  email: string | null
  provider_customer_id: string | null
  link_key: string
  provider_attempts: number
  is_due: boolean
}

const columns = `customer_uid, environment, customer_id, name, email, provider_customer_id, link_key, provider_attempts,
  provider_due_at is not null as is_due`

const fromRow = (row: Row): ProviderLink => ({
  customerUid: row.customer_uid,
  environment: row.environment,
  customerId: row.customer_id,
  name: row.name ?? undefined,
  email: row.email ?? undefined,
  providerCustomerId: row.provider_customer_id ?? undefined,
  linkKey: row.link_key,
  attempts: row.provider_attempts,
  isDue: row.is_due,
})

export async function findLink(sql: Sql, uid: string): Promise<ProviderLink | undefined> {
  const { rows } = await sql.query<Row>(`select ${columns} from customer where customer_uid = $1`, [uid])
  return rows[0] && fromRow(rows[0])
}

/** Takes over customers that the provider must be told of; nobody else takes them until `leaseEndsAt`. */
export async function claimDueLinks(
  sql: Sql,
  environment: Environment,
  now: number,
  leaseEndsAt: number,
  limit: number,
): Promise<ProviderLink[]> {
  const { rows } = await sql.query<Row>(
    `update customer set provider_due_at = $2, provider_attempts = provider_attempts + 1
     where customer_uid in (
       select customer_uid from customer where environment = $4 and provider_due_at <= $1
       order by provider_due_at limit $3 for update skip locked
     )
     returning ${columns}`,
    [now, leaseEndsAt, limit, environment],
  )
  return rows.map(fromRow)
}

/** When creating it at the provider was first tried: now, unless it was before. */
export async function noteLinkTry(sql: Sql, { customerUid }: ProviderLink, now: number): Promise<number> {
  const { rows } = await sql.query<{ link_tried_at: number }>(
    `update customer set link_tried_at = coalesce(link_tried_at, $2) where customer_uid = $1 returning link_tried_at`,
    [customerUid, now],
  )
  return rows[0]?.link_tried_at ?? now
}

/** For the next try, once the provider has answered this key for good. */
export async function renewLinkKey(sql: Sql, { customerUid, linkKey }: ProviderLink): Promise<void> {
  await sql.query(
    `update customer set link_key = gen_random_uuid()
     where customer_uid = $1 and link_key = $2 and provider_customer_id is null`,
    [customerUid, linkKey],
  )
}

/** False when the customer was deleted or linked meanwhile. */
export async function saveLink(
  sql: Sql,
  { customerUid, linkKey }: ProviderLink,
  providerCustomerId: string,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update customer set provider_customer_id = $3, revision = revision + 1
     where customer_uid = $1 and link_key = $2 and provider_customer_id is null`,
    [customerUid, linkKey, providerCustomerId],
  )
  return rowCount === 1
}

/** Forgets a provider customer that is gone there; the next link makes another. */
export async function removeLink(
  sql: Sql,
  uid: string,
  providerCustomerId: string,
  dueAt: number,
): Promise<void> {
  await sql.query(
    `update customer set provider_customer_id = null, link_key = gen_random_uuid(), link_tried_at = null,
       provider_due_at = $3, provider_attempts = 0, provider_unknown_since = null, revision = revision + 1
     where customer_uid = $1 and provider_customer_id = $2`,
    [uid, providerCustomerId, dueAt],
  )
}

/** Nothing more to tell, if the customer is still as it was told; false if it is not. */
export async function finishLink(sql: Sql, told: ProviderLink): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update customer set provider_due_at = null, provider_attempts = 0
     where customer_uid = $1 and link_key = $2 and name is not distinct from $3 and email is not distinct from $4`,
    [told.customerUid, told.linkKey, told.name, told.email],
  )
  return rowCount === 1
}

export async function setLinkDue(sql: Sql, uid: string, dueAt: number): Promise<void> {
  await sql.query('update customer set provider_due_at = $2 where customer_uid = $1', [uid, dueAt])
}

/** Whose provider customer this is, and the number of the fetch that begins now. */
export async function beginCustomerFetch(
  sql: Sql,
  environment: Environment,
  providerCustomerId: string,
): Promise<{ customerUid: string; generation: number } | undefined> {
  const { rows } = await sql.query<{ customer_uid: string; fetch_started: number }>(
    `update customer set fetch_started = fetch_started + 1
     where environment = $1 and provider_customer_id = $2
     returning customer_uid, fetch_started`,
    [environment, providerCustomerId],
  )
  return rows[0] && { customerUid: rows[0].customer_uid, generation: rows[0].fetch_started }
}

/** False when a later fetch was saved already, or the customer is no longer this one. Call it under the lock. */
export async function admitCustomerFetch(
  sql: Sql,
  uid: string,
  providerCustomerId: string,
  generation: number,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `update customer set fetch_saved = $3
     where customer_uid = $1 and provider_customer_id = $2 and fetch_saved < $3`,
    [uid, providerCustomerId, generation],
  )
  return rowCount === 1
}

/** Whether the provider knows the customer that is linked; since when it does not is kept. */
export async function notePresence(
  sql: Sql,
  uid: string,
  providerCustomerId: string,
  { isKnown, now }: { isKnown: boolean; now: number },
): Promise<void> {
  await sql.query(
    `update customer set provider_unknown_since = case when $3 then null else $4::bigint end
     where customer_uid = $1 and provider_customer_id = $2 and (provider_unknown_since is null) <> $3`,
    [uid, providerCustomerId, isKnown, now],
  )
}

export async function setPaymentMethod(sql: Sql, uid: string, hasPaymentMethod: boolean): Promise<void> {
  await sql.query('update customer set has_payment_method = $2 where customer_uid = $1', [
    uid,
    hasPaymentMethod,
  ])
}

/** Links a customer to one that the provider had before; false when it is another customer's of this environment. */
export async function takeOverLink(sql: Sql, uid: string, providerCustomerId: string): Promise<boolean> {
  try {
    await sql.query(
      `update customer set provider_customer_id = $2, link_key = gen_random_uuid(), provider_due_at = clock_ms()
       where customer_uid = $1`,
      [uid, providerCustomerId],
    )
    return true
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'customer_by_provider_customer') return false
    throw error
  }
}
