// Lists of customers by how near they are to their limits, and the figures of a feature over all customers.
import type { Environment } from '../../domain/environment.ts'
import { plainArray } from '../array-literal.ts'
import type { Sql } from '../database.ts'

export type RowStatus = 'over' | 'near' | 'ok'

export type RowFilter = {
  environment: Environment
  now: number
  nearShare: number
  search: string | undefined
  /** The number of a product that is held now. */
  productNo: number | undefined
  status: RowStatus | undefined
  /** Shares are those of this feature, else of the hottest. */
  featureNo: number | undefined
}

/** By when it was made, or by its share; a clock may stand still, and shares are often the same. */
export type RowPosition = { createdAt: number; customerNo: number; share: number; customerUid: string }

export type CustomerRow = {
  customerUid: string
  customerHash: string
  customerId: string
  name: string | undefined
  email: string | undefined
  position: RowPosition
  /** Undefined without a standing. */
  featureNo: number | undefined
  used: number
  allowance: number | undefined
  share: number | undefined
}

/** A period that has ended counts as unused until the job has been there. */
const shareNow = 'case when s.resets_at <= $2 then 0 else s.share end'

// None of the three can hold a line break, so the joined text, which is what the index is over, matches just when one does.
const conditions = `c.environment = $1
  and ($3::text is null or (c.customer_id || E'\\n' || coalesce(c.name, '') || E'\\n' || coalesce(c.email, '')) ilike $3)
  and ($4::int is null or exists (
    select from customer_held h where h.customer_uid = c.customer_uid and h.product_no = $4
  ))`

/** Absent shares are less than any other, and found by the index all the same. */
const shareKey = 'coalesce(s.share, -1)'

const statusConditions: Record<RowStatus, string> = {
  over: `and ${shareKey} >= 1 and (s.resets_at is null or s.resets_at > $2)`,
  near: `and ${shareKey} >= $5 and ${shareKey} < 1 and (s.resets_at is null or s.resets_at > $2)`,
  ok: `and (${shareKey} < $5 or s.resets_at <= $2)`,
}

const writeFrom = ({ status, featureNo }: RowFilter): string => `from customer_standing s
    join customer c on c.customer_uid = s.customer_uid
    where s.environment = $1 and ${featureNo === undefined ? 's.is_hottest' : `s.feature_no = ${Number(featureNo)}`}
      and ${conditions} ${status === undefined ? '' : statusConditions[status]}
      and $2::bigint is not null and $5::float8 is not null`

// Whoever was made a moment ago has no standing yet, and is shown all the same where nothing is asked of it.
const writeFromAll = ({ featureNo }: RowFilter): string => `from customer c
    left join customer_standing s on s.customer_uid = c.customer_uid
      and ${featureNo === undefined ? 's.is_hottest' : `s.feature_no = ${Number(featureNo)}`}
    where ${conditions} and $2::bigint is not null and $5::float8 is not null`

const toValues = ({ environment, now, nearShare, search, productNo }: RowFilter): unknown[] => [
  environment,
  now,
  search === undefined || search === '' ? null : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`,
  productNo,
  nearShare,
]

type Row = {
  customer_uid: string
  customer_hash: string
  customer_id: string
  name: string | null
  email: string | null
  created_at: number
  customer_no: number
  feature_no: number | null
  used: number | null
  allowance: number | null
  share: number | null
  order_share: number
}

const orders = {
  created: {
    by: 'c.created_at desc, c.customer_no desc',
    after: '($6::bigint is null or (c.created_at, c.customer_no) < ($6, $7::bigint))',
    toValues: (after: RowPosition | undefined) => [after?.createdAt, after?.customerNo],
  },
  share: {
    by: `${shareKey} desc, s.customer_uid desc`,
    after: `($6::float8 is null or (${shareKey}, s.customer_uid) < ($6, $7::uuid))`,
    toValues: (after: RowPosition | undefined) => [after?.share, after?.customerUid],
  },
}

export type RowSort = keyof typeof orders

/** Newest first, or those nearest to their limits first. */
export async function listCustomerRows(
  sql: Sql,
  filter: RowFilter,
  { sort, after, limit }: { sort: RowSort; after: RowPosition | undefined; limit: number },
): Promise<CustomerRow[]> {
  const order = orders[sort]
  const isOfAll = sort === 'created' && filter.status === undefined
  const { rows } = await sql.query<Row>(
    `select c.customer_uid, c.customer_hash, c.customer_id, c.name, c.email, c.created_at, c.customer_no,
       s.feature_no, (case when s.resets_at <= $2 then 0 else s.used end)::float8 as used,
       s.allowance::float8 as allowance, ${shareNow} as share, ${shareKey} as order_share
     ${isOfAll ? writeFromAll(filter) : writeFrom(filter)} and ${order.after}
     order by ${order.by}
     limit $8`,
    [...toValues(filter), ...order.toValues(after), limit],
  )
  return rows.map((row) => ({
    customerUid: row.customer_uid,
    customerHash: row.customer_hash,
    customerId: row.customer_id,
    name: row.name ?? undefined,
    email: row.email ?? undefined,
    position: {
      createdAt: row.created_at,
      customerNo: row.customer_no,
      share: row.order_share,
      customerUid: row.customer_uid,
    },
    featureNo: row.feature_no || undefined,
    used: row.used ?? 0,
    allowance: row.allowance ?? undefined,
    share: row.share ?? undefined,
  }))
}

export async function countCustomerRows(sql: Sql, filter: RowFilter): Promise<number> {
  const { productNo, status, search } = filter
  if (productNo !== undefined && status === undefined && !search) return countHeld(sql, productNo)
  const of =
    status === undefined
      ? `from customer c where ${conditions} and $2::bigint is not null and $5::float8 is not null`
      : writeFrom(filter)
  const { rows } = await sql.query<{ total: number }>(`select count(*) as total ${of}`, toValues(filter))
  return rows[0]?.total ?? 0
}

async function countHeld(sql: Sql, productNo: number): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    'select count(*) as total from customer_held where product_no = $1',
    [productNo],
  )
  return rows[0]?.total ?? 0
}

export type StandingRow = {
  customerId: string
  name: string | undefined
  featureNo: number
  used: number
  allowance: number | undefined
  share: number | undefined
}

type StandingSql = {
  customer_id: string
  name: string | null
  feature_no: number
  used: number
  allowance: number | null
  share: number | null
}

const fromStanding = (row: StandingSql): StandingRow => ({
  customerId: row.customer_id,
  name: row.name ?? undefined,
  featureNo: row.feature_no,
  used: row.used,
  allowance: row.allowance ?? undefined,
  share: row.share ?? undefined,
})

const standingColumns =
  'c.customer_id, c.name, s.feature_no, s.used::float8 as used, s.allowance::float8 as allowance, s.share'

/** Customers by the share of their hottest feature, from `atLeast` to below `below`, largest first. */
export async function listHottest(
  sql: Sql,
  environment: Environment,
  { now, atLeast, below, limit }: { now: number; atLeast: number; below: number; limit: number },
): Promise<StandingRow[]> {
  const { rows } = await sql.query<StandingSql>(
    `select ${standingColumns}
     from customer_standing s join customer c on c.customer_uid = s.customer_uid
     where s.is_hottest and s.environment = $1 and ${shareKey} >= $2 and ${shareKey} < $3
       and (s.resets_at is null or s.resets_at > $4)
     order by ${shareKey} desc, s.customer_uid desc limit $5`,
    [environment, atLeast, below, now, limit],
  )
  return rows.map(fromStanding)
}

/** Who has used most of a feature in the current period. */
export async function listTopUsers(
  sql: Sql,
  featureNo: number,
  { now, limit }: { now: number; limit: number },
): Promise<StandingRow[]> {
  const { rows } = await sql.query<StandingSql>(
    `select ${standingColumns}
     from customer_standing s join customer c on c.customer_uid = s.customer_uid
     where s.feature_no = $1 and s.used > 0 and (s.resets_at is null or s.resets_at > $2)
     order by s.used desc, s.customer_uid limit $3`,
    [featureNo, now, limit],
  )
  return rows.map(fromStanding)
}

export type ShareCount = { tenth: number | undefined; customers: number; used: number }

/** Customers by tenth of their allowance, 10 and more being at the limit or over; undefined without an allowance. */
export async function countByShare(sql: Sql, featureNo: number, now: number): Promise<ShareCount[]> {
  const { rows } = await sql.query<{ tenth: number | null; customers: number; used: number }>(
    `select least(floor(${shareNow} * 10), 10)::int as tenth, count(*)::int as customers,
       count(*) filter (where s.used > 0 and (s.resets_at is null or s.resets_at > $2))::int as used
     from customer_standing s where s.feature_no = $1
     group by 1`,
    [featureNo, now],
  )
  return rows.map((row) => ({ ...row, tenth: row.tenth ?? undefined }))
}

/** Holders of each version of these products, as of the last look of the job. */
export async function countHolders(
  sql: Sql,
  productNos: readonly number[],
): Promise<{ productNo: number; version: number; holders: number }[]> {
  const { rows } = await sql.query<{ product_no: number; version: number; holders: number }>(
    `select h.product_no, h.version, count(*)::int as holders from customer_held h
     where h.product_no = any($1::int[]) group by 1, 2 order by 1, 2`,
    [plainArray(productNos)],
  )
  return rows.map((row) => ({ productNo: row.product_no, version: row.version, holders: row.holders }))
}
