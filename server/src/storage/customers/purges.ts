// Removing the ledger rows of deleted features, a stretch of customers at a time.
import type { Sql } from '../database.ts'

export async function insertPurge(sql: Sql, featureNo: number): Promise<void> {
  await sql.query('insert into feature_purge (feature_no) values ($1)', [featureNo])
}

const tables = ['usage_event', 'usage_counter', 'bonus_draw', 'bonus']

/** One stretch of one deleted feature; false when there is nothing left to do. Call it in a transaction. */
export async function purgeStretch(sql: Sql, customers: number): Promise<boolean> {
  const { rows } = await sql.query<{ feature_no: number; purged_to: string }>(
    'select feature_no, purged_to from feature_purge order by feature_no limit 1 for update skip locked',
  )
  const purge = rows[0]
  if (!purge) return false
  const stretch = await sql.query<{ customer_uid: string }>(
    'select customer_uid from customer where customer_uid > $1 order by customer_uid limit $2',
    [purge.purged_to, customers],
  )
  const uids = stretch.rows.map((row) => row.customer_uid)
  const last = uids.at(-1)
  if (last === undefined) {
    await sql.query('delete from feature_purge where feature_no = $1', [purge.feature_no])
    return true
  }
  for (const table of tables) {
    await sql.query(`delete from ${table} where customer_uid = any($1::uuid[]) and feature_no = $2`, [
      uids,
      purge.feature_no,
    ])
  }
  await sql.query('update feature_purge set purged_to = $2 where feature_no = $1', [purge.feature_no, last])
  return true
}
