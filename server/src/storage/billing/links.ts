// Looking over the customers of an environment and their links to the payment provider.
import type { Environment } from '../../domain/environment.ts'
import type { Sql } from '../database.ts'

/** Those whom the provider has not been told of yet. */
export async function countUnlinked(sql: Sql, environment: Environment): Promise<number> {
  const { rows } = await sql.query<{ unlinked: number }>(
    'select count(*) as unlinked from customer where environment = $1 and provider_customer_id is null',
    [environment],
  )
  return rows[0]?.unlinked ?? 0
}

export type LinkedCustomer = {
  customerUid: string
  customerHash: string
  customerId: string
  providerCustomerId: string | undefined
}

/** In the order of their uids, after one. */
export async function listLinks(
  sql: Sql,
  environment: Environment,
  after: string | undefined,
  limit: number,
): Promise<LinkedCustomer[]> {
  const { rows } = await sql.query<{
    customer_uid: string
    customer_hash: string
    customer_id: string
    provider_customer_id: string | null
  }>(
    `select customer_uid, customer_hash, customer_id, provider_customer_id from customer
     where environment = $1 and ($2::uuid is null or customer_uid > $2)
     order by customer_uid limit $3`,
    [environment, after, limit],
  )
  return rows.map((row) => ({
    customerUid: row.customer_uid,
    customerHash: row.customer_hash,
    customerId: row.customer_id,
    providerCustomerId: row.provider_customer_id ?? undefined,
  }))
}

/** The customer, of this environment, that has a subscription. */
export async function findSubscriber(
  sql: Sql,
  environment: Environment,
  subscriptionId: string,
): Promise<{ customerUid: string; customerId: string; providerCustomerId: string } | undefined> {
  const { rows } = await sql.query<{
    customer_uid: string
    customer_id: string
    provider_customer_id: string
  }>(
    `select c.customer_uid, c.customer_id, c.provider_customer_id
     from subscription s join customer c on c.customer_uid = s.customer_uid
     where s.subscription_id = $2 and c.environment = $1 and c.provider_customer_id is not null`,
    [environment, subscriptionId],
  )
  const row = rows[0]
  return (
    row && {
      customerUid: row.customer_uid,
      customerId: row.customer_id,
      providerCustomerId: row.provider_customer_id,
    }
  )
}

export type RecentCheckout = { createdAt: number; isCurrent: boolean }

/** Newest first. */
export async function listCheckouts(sql: Sql, uid: string, limit: number): Promise<RecentCheckout[]> {
  const { rows } = await sql.query<RecentCheckout>(
    `select created_at as "createdAt", superseded_at is null as "isCurrent" from checkout
     where customer_uid = $1 order by created_at desc, checkout_key limit $2`,
    [uid, limit],
  )
  return rows
}
