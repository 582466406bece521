// What an audit asks the database. The statements are written apart from those that the service runs, so that one mistake
// cannot hide in both.

import { customerTables } from '../customers/customer-tables.ts'

const place = (uid: string, featureNo?: string): string => {
  const customer = `coalesce((select environment || ' ' || customer_id from customer where customer_uid = ${uid}), ${uid}::text)`
  if (featureNo === undefined) return `'customer ' || ${customer}`
  const feature = `coalesce((select feature_key from feature where feature_no = ${featureNo}), 'no. ' || ${featureNo})`
  return `'customer ' || ${customer} || ', feature ' || ${feature}`
}

const span = (start: string, end: string): string => `', from ' || ${start} || ' to ' || ${end}`

/** Rows of a deleted feature or customer are dead: they are purged bit by bit, and nothing is said of them until then. */
const isLive = (row: string): string =>
  `exists (select from feature f where f.feature_no = ${row}.feature_no)
      and exists (select from customer l where l.customer_uid = ${row}.customer_uid)`

/** Each statement selects only what is wrong: where it is, what is stored, what was expected. */
export const auditChecks: Record<string, string> = {
  'provider customer': `
    select ${place('c.customer_uid')} as at, c.provider_customer_id as stored,
      'one that the payment provider knows' as expected
    from customer c where c.provider_unknown_since is not null`,

  'counter total': `
    select ${place('c.customer_uid', 'c.feature_no')} || ${span('c.period_start', 'c.period_end')} as at,
      trim_scale(c.total)::text as stored, trim_scale(l.total)::text as expected
    from usage_counter c
    cross join lateral (
      select coalesce(sum(e.amount), 0) as total
      from usage_event e
      where e.customer_uid = c.customer_uid and e.feature_no = c.feature_no and e.deleted_at is null
        and e.alias_of is null and e.occurred_at >= c.period_start and e.occurred_at < c.period_end
    ) l
    where l.total <> c.total and ${isLive('c')}`,

  // Draws of one bonus that follow one another are kept as one run.
  'counter draws': `
    select ${place('c.customer_uid', 'c.feature_no')} || ${span('c.period_start', 'c.period_end')} as at,
      s.runs as stored, l.runs as expected
    from usage_counter c
    cross join lateral (
      select coalesce(string_agg(u.bonus_id || ': ' || trim_scale(u.amount), ', ' order by u.n), 'none') as runs
      from unnest(c.draw_bonus, c.draw_amount) with ordinality as u (bonus_id, amount, n)
    ) s
    cross join lateral (
      select coalesce(string_agg(r.bonus_id || ': ' || trim_scale(r.amount), ', ' order by r.first), 'none') as runs
      from (
        select bonus_id, min(n) as first, sum(amount) as amount
        from (
          select d.bonus_id, d.amount, d.n, d.n - row_number() over (partition by d.bonus_id order by d.n) as run
          from (
            select bonus_id, amount, row_number() over (order by event_no, position) as n
            from bonus_draw
            where customer_uid = c.customer_uid and feature_no = c.feature_no
              and drawn_at >= c.period_start and drawn_at < c.period_end
          ) d
        ) d
        group by bonus_id, run
      ) r
    ) l
    where s.runs <> l.runs and ${isLive('c')}`,

  'bonus drawn': `
    select ${place('b.customer_uid', 'b.feature_no')} || ', bonus ' || b.bonus_id as at,
      trim_scale(b.drawn)::text as stored, trim_scale(l.drawn)::text as expected
    from bonus b
    cross join lateral (
      select coalesce(sum(d.amount), 0) as drawn
      from bonus_draw d
      where d.customer_uid = b.customer_uid and d.feature_no = b.feature_no and d.bonus_id = b.bonus_id
    ) l
    where l.drawn <> b.drawn and ${isLive('b')}`,

  'bonus overdrawn': `
    select ${place('b.customer_uid', 'b.feature_no')} || ', bonus ' || b.bonus_id as at,
      trim_scale(sum(d.amount))::text || ' drawn' as stored, 'at most ' || trim_scale(b.amount) as expected
    from bonus b
    join bonus_draw d on d.customer_uid = b.customer_uid and d.bonus_id = b.bonus_id
    group by b.customer_uid, b.bonus_id
    having sum(d.amount) > b.amount`,

  'draw of no bonus': `
    select ${place('d.customer_uid', 'd.feature_no')} || ', draw ' || d.event_no || '/' || d.position as at,
      'bonus ' || d.bonus_id as stored, 'a bonus of the same customer and feature' as expected
    from bonus_draw d
    left join bonus b
      on b.customer_uid = d.customer_uid and b.bonus_id = d.bonus_id and b.feature_no = d.feature_no
    where b.bonus_id is null and ${isLive('d')}`,

  // A period that starts later counts as empty without a look at the ledger.
  'last event': `
    select ${place('c.customer_uid')} as at, coalesce(c.last_event_at::text, 'none') as stored,
      'at least ' || l.at as expected
    from customer c
    cross join lateral (
      select greatest(
        (select max(e.occurred_at) from usage_event e
         where e.customer_uid = c.customer_uid and e.deleted_at is null and e.alias_of is null),
        (select max(d.drawn_at) from bonus_draw d where d.customer_uid = c.customer_uid)
      ) as at
    ) l
    where l.at > coalesce(c.last_event_at, l.at - 1)`,

  // So does any period of a feature not among these.
  'used features': `
    select ${place('c.customer_uid', 'l.feature_no')} as at, c.used_features::text as stored,
      'feature ' || l.feature_no || ' among them' as expected
    from customer c
    join (
      select customer_uid, feature_no from usage_event where deleted_at is null and alias_of is null
      union
      select customer_uid, feature_no from bonus_draw
    ) l on l.customer_uid = c.customer_uid
    where l.feature_no <> all(c.used_features)`,

  'alias of no event': `
    select ${place('a.customer_uid', 'a.feature_no')} || ', key ' || a.key_hash as at,
      'alias of ' || a.alias_of as stored, 'an event that is no alias' as expected
    from usage_event a
    left join usage_event e
      on e.customer_uid = a.customer_uid and e.feature_no = a.feature_no and e.key_hash = a.alias_of
    where a.alias_of is not null and (e.key_hash is null or e.alias_of is not null)
      and ${isLive('a')}`,

  'customer hash': `
    select ${place('c.customer_uid')} as at, c.customer_hash::text as stored, l.hash::text as expected
    from customer c
    cross join lateral (
      select left(encode(sha256(convert_to(c.environment || e'\\n' || c.customer_id, 'UTF8')), 'hex'), 32)::uuid as hash
    ) l
    where l.hash <> c.customer_hash`,

  // Either finds the server that has the customer.
  'customer uid': `
    select ${place('c.customer_uid')} as at, c.customer_uid::text as stored, left(c.customer_hash::text, 18) || '…' as expected
    from customer c
    where left(c.customer_uid::text, 18) <> left(c.customer_hash::text, 18)`,

  // What a deleted customer left is purged in steps, and nothing is said of it until then.
  'row of no customer': `
    select o.name || ' of ' || o.customer_uid as at, o.number || ' rows' as stored, 'none' as expected
    from (
      ${customerTables
        .map(
          ({ name }) =>
            `select '${name}' as name, customer_uid, count(*) as number from ${name} group by customer_uid`,
        )
        .join(' union all ')}
    ) o
    where not exists (select from customer c where c.customer_uid = o.customer_uid)
      and not exists (select from customer_purge p where p.customer_uid = o.customer_uid)`,

  'default products': `
    select environment as at, string_agg(product_key, ', ' order by product_key) as stored, 'at most one' as expected
    from product where is_default
    group by environment
    having count(*) > 1`,

  // Rows of a feature that was deleted refer to nothing any more.
  'other environment': `
    select r.name || ' of ' || ${place('c.customer_uid', 'r.feature_no')} as at, f.environment as stored,
      c.environment as expected
    from (
      select distinct 'usage_event' as name, customer_uid, feature_no from usage_event
      union all select distinct 'usage_counter', customer_uid, feature_no from usage_counter
      union all select distinct 'bonus', customer_uid, feature_no from bonus
    ) r
    join customer c on c.customer_uid = r.customer_uid
    join feature f on f.feature_no = r.feature_no
    where f.environment <> c.environment
    union all
    select 'product ' || p.product_key || ' of ' || ${place('c.customer_uid')}, p.environment, c.environment
    from customer_product h
    join customer c on c.customer_uid = h.customer_uid
    join product p on p.product_id = h.product_id
    where p.environment <> c.environment
    union all
    select 'feature ' || f.feature_key || ' in product ' || p.product_key, f.environment, p.environment
    from feature_access_entry a
    join feature f on f.feature_id = a.feature_id
    join product p on p.product_id = a.product_id
    where f.environment <> p.environment
    union all
    select 'version ' || i.version || ' of ' || p.product_key || ' held by ' || ${place('c.customer_uid')},
      c.environment, 'a version of the product in this environment'
    from subscription_item i
    join customer c on c.customer_uid = i.customer_uid
    join product p on p.provider_product_id = i.provider_product_id and p.environment = c.environment
    where i.version is not null
      and not exists (select from product_version v where v.product_id = p.product_id and v.version = i.version)`,
}
