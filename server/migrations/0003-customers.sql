-- Customers and what they hold. Every table a customer owns leads its keys with `customer_uid` and refers to no other table:
-- the customer's row is the lock, rows of one that is gone are unreachable at once and purged in steps, and a server can be
-- given a range of uids.

-- `customer_hash`, of environment and id, is what a request knows without a look-up. `customer_uid` begins as it does and goes
-- on by chance, so that a customer made anew under the same id owns nothing of the one before. `revision` rises with every
-- change of what a customer has, and updating it is the customer's lock.
create table customer (
  customer_uid uuid primary key,
  customer_hash uuid not null unique,
  -- The order of making: business time may stand still or run backwards.
  customer_no bigint generated always as identity,
  environment text not null,
  customer_id text not null,
  revision bigint not null default 1,
  name text,
  email text,
  metadata jsonb not null default '{}',
  created_at bigint not null,
  usage_started_at bigint not null,
  -- When the last main product that gave access ended, was suspended or removed; only the last such instant. The second is
  -- the one that cuts usage periods, which leaving a subscription that goes on does not.
  main_ended_at bigint,
  fell_back_at bigint,
  has_payment_method boolean not null default false,
  -- Nothing was counted or drawn later than this, so a period that starts after it is empty without looking.
  last_event_at bigint,
  -- Features that ever had an event: a period of any other is empty without looking, too.
  used_features integer[] not null default '{}',
  -- The earliest instant of an event that was written, changed or deleted since the statistics were last summed up, and of those
  -- being summed up right now. No index may name these two: they change with writes.
  stats_from bigint,
  stats_doing bigint,
  -- The customer at the payment provider. `link_key` names this one in calls that create it there, so that a retry never makes
  -- two. `provider_due_at`, in real time, is set while the provider must still be told of the customer; generations order
  -- fetches, so that an older one never overwrites a newer.
  provider_customer_id text,
  link_key uuid not null default gen_random_uuid(),
  -- Real times: of the first try to create it there, since a provider forgets idempotency keys; and since when the provider
  -- says that it does not know it, which may be another account's answer and so changes nothing.
  link_tried_at bigint,
  provider_unknown_since bigint,
  provider_due_at bigint default clock_ms(),
  provider_attempts integer not null default 0,
  fetch_started bigint not null default 0,
  fetch_saved bigint not null default 0
) with (fillfactor = 60);
-- Partial, though no row is left out: a look-up by uid alone must not walk this index instead of the primary key, whose
-- order is the order of locks.
create index customer_by_creation on customer (environment, created_at, customer_no) where environment is not null;
create unique index customer_by_provider_customer on customer (environment, provider_customer_id)
  where provider_customer_id is not null;
create index customer_provider_due on customer (environment, provider_due_at) where provider_due_at is not null;

create table customer_product (
  customer_uid uuid not null,
  product_id uuid not null,
  version integer not null,
  started_at bigint not null,
  primary key (customer_uid, product_id)
);
create index customer_product_by_product on customer_product (product_id, version, customer_uid);

-- Customers that were deleted and own rows still: dead rows, removed in steps.
create table customer_purge (
  customer_uid uuid primary key,
  environment text not null
);

-- Makes search by substring quick where the extension can be had; without it search walks the customers.
do $$
begin
  create extension if not exists pg_trgm;
  create index customer_search on customer
    using gin ((customer_id || E'\n' || coalesce(name, '') || E'\n' || coalesce(email, '')) gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise notice 'pg_trgm is not available: customer search will be slower';
end
$$;
