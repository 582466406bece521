// Names of customers for what is shown of them.
import type { Sql } from '../database.ts'

export type CustomerName = { customerUid: string; customerId: string; name: string | undefined }

/** Of those that are there, by uid. */
export async function findCustomerNames(
  sql: Sql,
  uids: readonly string[],
  environment?: string,
): Promise<Map<string, CustomerName>> {
  const { rows } = await sql.query<{ customer_uid: string; customer_id: string; name: string | null }>(
    `select customer_uid, customer_id, name from customer
     where customer_uid = any($1::uuid[]) and ($2::text is null or environment = $2)`,
    [uids, environment],
  )
  return new Map(
    rows.map((row) => [
      row.customer_uid,
      { customerUid: row.customer_uid, customerId: row.customer_id, name: row.name ?? undefined },
    ]),
  )
}
