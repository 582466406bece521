// The statements of the baselines, prepared by name as the service's are.

export const admit = {
  name: 'plain-admit',
  text: `with asked as (
      select k.key_id, (extract(epoch from now()) * 1000)::bigint as at
      from api_key k
      where k.secret_hash = decode($1, 'hex') and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > (extract(epoch from now()) * 1000)::bigint)
    )
    insert into rate_window as w (key_id, window_at, reads, writes)
    select key_id, at - at % 10000, $2::int, $3::int from asked
    on conflict (key_id) do update set
      window_at = greatest(w.window_at, excluded.window_at),
      reads = case when excluded.window_at > w.window_at then 0 else w.reads end + excluded.reads,
      writes = case when excluded.window_at > w.window_at then 0 else w.writes end + excluded.writes
    returning reads, writes`,
}

export const readAccess = {
  name: 'plain-read-access',
  text: `select f.feature_key, f.type, f.usage_reset_interval, c.usage_started_at, e.has_access, e.limit_amount,
      u.total, coalesce(b.left_over, 0) as bonus
    from customer c
    join customer_product p on p.customer_uid = c.customer_uid
    join feature_access_entry e on e.product_id = p.product_id and e.version = p.version
    join feature f on f.feature_id = e.feature_id
    left join usage_counter u on u.customer_uid = c.customer_uid and u.feature_no = f.feature_no
      and u.period_end > $2 and u.period_start <= $2
    left join lateral (
      select sum(b.amount - b.drawn) as left_over from bonus b
      where b.customer_uid = c.customer_uid and b.feature_no = f.feature_no and b.drawn < b.amount
        and (b.expires_at is null or b.expires_at > $2)
    ) b on true
    where c.customer_uid = $1`,
}

export const lockCustomer = {
  name: 'plain-lock-customer',
  text: `update customer c set revision = c.revision + 1, last_event_at = greatest(c.last_event_at, $2)
    from feature f
    where c.customer_uid = $1 and f.environment = c.environment and f.feature_key = $3
    returning c.revision, c.usage_started_at, f.feature_no, f.usage_reset_interval`,
}

export const insertEvent = {
  name: 'plain-insert-event',
  text: `insert into usage_event (customer_uid, feature_no, key_hash, event_no, occurred_at, amount, event_key)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict do nothing`,
}

export const addToCounter = {
  name: 'plain-add-to-counter',
  text: `insert into usage_counter as u (customer_uid, period_end, feature_no, period_start, total)
    values ($1, $2, $3, $4, $5)
    on conflict (customer_uid, period_end, feature_no, period_start) do update set total = u.total + excluded.total
    returning total`,
}

export const addToHotRow = {
  name: 'plain-add-to-hot-row',
  text: `update usage_counter set total = total + 1
    where customer_uid = $1 and period_end = $2 and feature_no = $3 and period_start = $4`,
}
