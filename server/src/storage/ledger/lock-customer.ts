// The customer's row is the lock of all it owns.
import type { Database, Sql } from '../database.ts'

/** Held to the end of the transaction; false when there is no such customer. What is read afterwards is what the lock protects. */
export async function lockCustomer(sql: Sql, customerHash: string): Promise<boolean> {
  const { rowCount } = await sql.query('select from customer where customer_hash = $1 for no key update', [
    customerHash,
  ])
  return rowCount === 1
}

export async function lockCustomerByUid(sql: Sql, uid: string): Promise<void> {
  await sql.query('select from customer where customer_uid = $1 for no key update', [uid])
}

/** Those of the customers that nobody has locked right now. */
export async function findUnlocked(database: Database, uids: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ customer_uid: string }>(
    'select customer_uid from customer where customer_uid = any($1::uuid[]) for no key update skip locked',
    [uids],
  )
  return new Set(rows.map((row) => row.customer_uid))
}
