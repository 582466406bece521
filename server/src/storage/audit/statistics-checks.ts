// What an audit asks of the statistics: sums of customers that are not due are those of the ledger, and what is summed over all
// customers is the sum of what is stored of each.
const hourMs = 3_600_000
const dayMs = 86_400_000

/** As in audit-checks.ts. A customer with `stats_from` or `stats_doing` is about to be summed up again from there on. */
export const statisticsChecks: Record<string, string> = {
  'usage by hour': `
    select 'customer ' || c.environment || ' ' || c.customer_id || ', feature no. ' || d.feature_no || ', hour ' || d.hour_at as at,
      coalesce(trim_scale(d.stored) || ' in ' || d.stored_events, 'none') as stored,
      coalesce(trim_scale(d.expected) || ' in ' || d.expected_events, 'none') as expected
    from (
      select coalesce(u.customer_uid, l.customer_uid) as customer_uid, coalesce(u.feature_no, l.feature_no) as feature_no,
        coalesce(u.hour_at, l.hour_at) as hour_at, u.amount as stored, u.events as stored_events, l.amount as expected,
        l.events as expected_events, u.last_at is distinct from l.last_at as is_other_last
      from usage_hour u
      full join (
        select customer_uid, feature_no, occurred_at - occurred_at % ${hourMs} as hour_at, sum(amount) as amount,
          count(*) as events, max(occurred_at) as last_at
        from usage_event where deleted_at is null and alias_of is null
        group by 1, 2, 3
      ) l on l.customer_uid = u.customer_uid and l.feature_no = u.feature_no and l.hour_at = u.hour_at
    ) d
    join customer c on c.customer_uid = d.customer_uid
    where d.hour_at + ${hourMs} <= coalesce(least(c.stats_from, c.stats_doing), d.hour_at + ${hourMs})
      and (d.stored is distinct from d.expected or d.stored_events is distinct from d.expected_events or d.is_other_last)`,

  'usage by day': `
    select 'customer uid ' || coalesce(u.customer_uid, h.customer_uid) || ', day ' || coalesce(u.day_at, h.day_at) as at,
      coalesce(trim_scale(u.amount) || ' in ' || u.events, 'none') as stored,
      coalesce(trim_scale(h.amount) || ' in ' || h.events, 'none') as expected
    from usage_day u
    full join (
      select customer_uid, feature_no, hour_at - hour_at % ${dayMs} as day_at, sum(amount) as amount, sum(events) as events
      from usage_hour group by 1, 2, 3
    ) h on h.customer_uid = u.customer_uid and h.feature_no = u.feature_no and h.day_at = u.day_at
    where (u.amount is distinct from h.amount or u.events is distinct from h.events)
      and not exists (select from customer_purge p where p.customer_uid = coalesce(u.customer_uid, h.customer_uid))`,

  'usage over all customers': `
    select 'feature no. ' || coalesce(t.feature_no, h.feature_no) || ', hour ' || coalesce(t.hour_at, h.hour_at)
        || ', product no. ' || coalesce(t.product_no, h.product_no) as at,
      trim_scale(coalesce(t.amount, 0)) || ' in ' || coalesce(t.events, 0) as stored,
      trim_scale(coalesce(h.amount, 0)) || ' in ' || coalesce(h.events, 0) as expected
    from usage_total t
    full join (
      select feature_no, hour_at, product_no, sum(amount) as amount, sum(events) as events from usage_hour group by 1, 2, 3
    ) h on h.feature_no = t.feature_no and h.hour_at = t.hour_at and h.product_no = t.product_no
    where coalesce(t.amount, 0) <> coalesce(h.amount, 0) or coalesce(t.events, 0) <> coalesce(h.events, 0)`,

  'active customers': `
    select coalesce(t.environment, d.environment) || ', day ' || coalesce(t.day_at, d.day_at) as at,
      coalesce(t.customers, 0)::text as stored, coalesce(d.customers, 0)::text as expected
    from active_day t
    full join (
      select coalesce(c.environment, p.environment) as environment, u.day_at, count(distinct u.customer_uid) as customers
      from usage_day u
      left join customer c on c.customer_uid = u.customer_uid
      left join customer_purge p on p.customer_uid = u.customer_uid
      group by 1, 2
    ) d on d.environment = t.environment and d.day_at = t.day_at
    where coalesce(t.customers, 0) <> coalesce(d.customers, 0)`,

  'customer that is not due': `
    select 'customer ' || c.environment || ' ' || c.customer_id as at, 'changed since ' || c.stats_from as stored,
      'due for its statistics' as expected
    from customer c
    where coalesce(c.stats_from, c.stats_doing) is not null
      and not exists (select from statistics_due d where d.customer_uid = c.customer_uid)`,
}
