// Removing dead rows, in steps: those of deleted features, a stretch of customers at a time, and those of deleted customers, a
// number of rows at a time. Call each step in a transaction of its own.
import type { Sql } from '../database.ts'
import { markPurged } from '../statistics/mark-due.ts'
import { lockProgress, removeDays, removeHours } from '../statistics/roll-up.ts'
import { customerTables } from './customer-tables.ts'

export async function insertFeaturePurge(sql: Sql, featureNo: number): Promise<void> {
  await sql.query('insert into feature_purge (feature_no) values ($1)', [featureNo])
}

/** One stretch of one deleted feature; false when there is nothing left to do. */
export async function purgeFeatureStep(sql: Sql, customers: number): Promise<boolean> {
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
  for (const { name, hasFeature } of customerTables) {
    if (!hasFeature) continue
    await sql.query(`delete from ${name} where customer_uid = any($1::uuid[]) and feature_no = $2`, [
      uids,
      purge.feature_no,
    ])
  }
  await markPurged(sql, uids, purge.feature_no)
  await sql.query('update feature_purge set purged_to = $2 where feature_no = $1', [purge.feature_no, last])
  return true
}

/** Some rows of one deleted customer; false when there is nothing left to do. */
export async function purgeCustomerStep(sql: Sql, rowsAtOnce: number): Promise<boolean> {
  const { rows } = await sql.query<{ customer_uid: string; environment: string }>(
    'select customer_uid, environment from customer_purge order by customer_uid limit 1 for update skip locked',
  )
  const [purge] = rows
  if (!purge) return false
  const { customer_uid: uid, environment } = purge
  await lockProgress(sql, environment)
  if ((await removeHours(sql, uid, rowsAtOnce)) === rowsAtOnce) return true
  if ((await removeDays(sql, environment, uid, rowsAtOnce)) === rowsAtOnce) return true
  for (const { name } of customerTables) {
    const { rowCount } = await sql.query(
      `delete from ${name} where ctid = any(array(select ctid from ${name} where customer_uid = $1 limit $2))`,
      [uid, rowsAtOnce],
    )
    if (rowCount === rowsAtOnce) return true
  }
  await sql.query('delete from customer_purge where customer_uid = $1', [uid])
  return true
}
