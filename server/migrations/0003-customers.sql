-- Customers and what they hold. Every table a customer owns leads its keys with `customer_uid`, a hash of environment and
-- customer id, so that a request can name its rows without a look-up and a cluster can distribute by it.

-- `revision` rises with every change of what a customer has, and updating it is the customer's lock. It starts at the
-- microsecond of creation: a customer deleted and made again never repeats a revision.
create table customer (
  customer_uid uuid primary key,
  environment text not null,
  customer_id text not null,
  revision bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
  name text,
  email text,
  created_at bigint not null,
  usage_started_at bigint not null,
  provider_customer_id text,
  has_payment_method boolean not null default false,
  -- Nothing in the ledger occurred later than this, so a period that starts after it is empty without looking.
  last_event_at bigint,
  -- Features that ever had an event, one perhaps twice: a period of any other is empty without looking, too.
  used_features integer[] not null default '{}',
  -- What that was before the latest write, told back by its `returning`.
  prior_event_at bigint
) with (fillfactor = 60);
-- Partial, though no row is left out: a look-up by uid alone must not walk this index instead of the primary key, whose
-- order is the order of locks.
create index customer_by_creation on customer (environment, created_at, customer_uid) where environment is not null;
create index customer_by_provider_customer on customer (environment, provider_customer_id)
  where provider_customer_id is not null;

create table customer_product (
  customer_uid uuid not null references customer on delete cascade,
  product_id uuid not null references product,
  version integer not null,
  started_at bigint not null,
  primary key (customer_uid, product_id)
);
create index customer_product_by_product on customer_product (product_id, version, customer_uid);

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
