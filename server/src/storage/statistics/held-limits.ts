// Holders of a product version, and which of them a lower limit would leave over it.
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

type Held = { productNo: number; version: number }

export async function countHoldersOf(sql: Sql, { productNo, version }: Held): Promise<number> {
  const { rows } = await sql.query<{ holders: number }>(
    'select count(*) as holders from customer_held where product_no = $1 and version = $2',
    [productNo, version],
  )
  return rows[0]?.holders ?? 0
}

/** In the order of their uids. */
export async function listHoldersAfter(
  sql: Sql,
  { productNo, version }: Held,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql.query<{ customer_uid: string }>(
    `select customer_uid from customer_held
     where product_no = $1 and version = $2 and ($3::uuid is null or customer_uid > $3)
     order by customer_uid limit $4`,
    [productNo, version, after, limit],
  )
  return rows.map((row) => row.customer_uid)
}

/** A limit before and after; null is unlimited. */
export type LimitShift = { featureNo: number; before: number | null; after: number | null }

export type OverRow = {
  customerId: string
  name: string | undefined
  featureNo: number
  used: number
  before: number | null
  after: number | null
}

/** Whoever would leave more than this many over their limits need not know how many more. */
const countedAtMost = 10_000

const laterLimit = 'greatest(coalesce(s.allowance - coalesce(a.before, 0), 0) + a.after, 0)'

// Looked up one by one: both lists end early, and a join would first read all who hold the product.
const isOver = `s.used > ${laterLimit} and exists (
         select from customer_held h where h.customer_uid = s.customer_uid and h.product_no = $1 and h.version = $2 offset 0
       )`

const shiftRows = 'unnest($3::int[], $4::numeric[], $5::numeric[]) as a (feature_no, before, after)'

/** As the statistics have it: what else a customer holds gives as much as before. Who used most of a feature comes first. */
export async function listOverAfter(
  sql: Sql,
  { productNo, version }: Held,
  shifts: readonly LimitShift[],
  limit: number,
): Promise<{ rows: OverRow[]; count: number }> {
  const lower = shifts.filter(({ before, after }) => after !== null && (before === null || after < before))
  const values = [
    productNo,
    version,
    plainArray(lower.map((each) => each.featureNo)),
    plainArray(lower.map((each) => each.before ?? undefined)),
    plainArray(lower.map((each) => each.after ?? undefined)),
  ]
  const [listed, counted] = await Promise.all([
    sql.query<OverSql>(
      `select c.customer_id, c.name, o.feature_no, o.used::float8 as used, o.allowance::float8 as allowance,
         o.later::float8 as later
       from ${shiftRows}
       cross join lateral (
         select s.customer_uid, s.feature_no, s.used, s.allowance, ${laterLimit} as later from customer_standing s
         where s.feature_no = a.feature_no and ${isOver}
         order by s.used desc limit $6
       ) o
       join customer c on c.customer_uid = o.customer_uid
       order by o.used - o.later desc, o.customer_uid
       limit $6`,
      [...values, limit],
    ),
    sql.query<{ count: number }>(
      `select count(*) as count from (
         select from ${shiftRows} join customer_standing s on s.feature_no = a.feature_no where ${isOver}
         limit ${countedAtMost}
       ) o`,
      values,
    ),
  ])
  return {
    count: counted.rows[0]?.count ?? 0,
    rows: listed.rows.map((row) => ({
      customerId: row.customer_id,
      name: row.name ?? undefined,
      featureNo: row.feature_no,
      used: row.used,
      before: row.allowance,
      after: row.later,
    })),
  }
}

type OverSql = {
  customer_id: string
  name: string | null
  feature_no: number
  used: number
  allowance: number | null
  later: number
}
