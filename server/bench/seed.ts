// What the benchmark measures on: features, a product, API keys and customers, written straight into the tables.
import type pg from 'pg'

export const featureKey = 'calls'

/** Of every customer. */
export const usageStartedAt = Date.UTC(2026, 0, 15)

/** As storage/customer-uid.ts makes it, for rows that SQL generates. */
export const uidOf = (id: string) =>
  `substr(encode(sha256(convert_to('test' || chr(10) || ${id}, 'UTF8')), 'hex'), 1, 32)::uuid`

const features = [
  ['calls', 'limit', 'month'],
  ['tokens', 'limit', 'month'],
  ['seats', 'limit', 'never'],
  ['exports', 'limit', 'day'],
  ['sso', 'boolean', 'never'],
] as const

/** A limit that no run reaches, so that what a write costs does not change on the way. */
const limit = 1_000_000_000

export async function seedCatalogue(client: pg.Client): Promise<void> {
  for (const [key, type, interval] of features) {
    await client.query(
      `insert into feature (feature_id, environment, feature_key, name, type, tracks_usage, usage_reset_interval,
         usage_reset_anchor, created_at)
       values (gen_random_uuid(), 'test', $1, $1, $2, $2 = 'limit', $3, 'billing_cycle', 1)`,
      [key, type, interval],
    )
  }
  await client.query(
    `with p as (
       insert into product (product_id, environment, product_key, name, type, created_at)
       values (gen_random_uuid(), 'test', 'pro', 'Pro', 'custom', 1) returning product_id
     ), v as (
       insert into product_version (product_id, version, created_at) select product_id, 1, 1 from p returning product_id
     )
     insert into feature_access_entry (product_id, version, position, feature_id, has_access, limit_amount, is_unlimited)
     select v.product_id, 1, f.feature_no, f.feature_id, true, case when f.type = 'limit' then $1::numeric end, false
     from v, feature f`,
    [limit],
  )
  await client.query(`update environment set catalogue_revision = catalogue_revision + 1`)
}

export async function seedKeys(client: pg.Client, count: number): Promise<string[]> {
  const secret = `'tk_test_benchmark_' || lpad(n::text, 12, '0')`
  const { rows } = await client.query<{ secret: string }>(
    `with made as (select ${secret} as secret from generate_series(1, $1::int) n),
     kept as (
       insert into api_key (key_id, environment, name, scope, secret_hash, last_four, created_at)
       select gen_random_uuid(), 'test', secret, 'full', sha256(convert_to(secret, 'UTF8')), right(secret, 4), 1 from made
     )
     select secret from made`,
    [count],
  )
  return rows.map((row) => row.secret)
}

/** Customers from `c<from>` to before `c<to>`, all of them on Pro; the provider need not be told of them. */
export async function seedCustomers(client: pg.Client, from: number, to: number): Promise<void> {
  await client.query(
    `insert into customer (customer_uid, customer_hash, environment, customer_id, name, email, created_at,
       usage_started_at, provider_due_at)
     select ${uidOf(`'c' || n`)}, ${uidOf(`'c' || n`)}, 'test', 'c' || n, 'Customer ' || n, 'c' || n || '@example.com', $3::bigint + n, $3, null
     from generate_series($1::int, $2::int - 1) n`,
    [from, to, usageStartedAt],
  )
  await client.query(
    `insert into customer_product (customer_uid, product_id, version, started_at)
     select ${uidOf(`'c' || n`)}, p.product_id, 1, $3
     from generate_series($1::int, $2::int - 1) n, product p`,
    [from, to, usageStartedAt],
  )
  await client.query('analyze')
}
