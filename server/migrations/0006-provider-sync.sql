-- What keeps customers and products in step with the payment provider. Times of jobs are real time.

-- `link_key` names the customer in calls that create it at the provider, so that a retry never makes two. `provider_due_at`
-- is set while the provider must still be told of the customer; generations order fetches, so that an older one never
-- overwrites a newer.
alter table customer
  add column link_key uuid not null default gen_random_uuid(),
  add column provider_due_at bigint default (extract(epoch from clock_timestamp()) * 1000)::bigint,
  add column provider_attempts integer not null default 0,
  add column fetch_started bigint not null default 0,
  add column fetch_saved bigint not null default 0;
create index customer_provider_due on customer (provider_due_at) where provider_due_at is not null;

alter table product
  add column is_provider_active boolean not null default true,
  add column fetch_started bigint not null default 0,
  add column fetch_saved bigint not null default 0;

-- Provider events as they arrived, stored before they are acknowledged. Only their subject is used: its current state is
-- fetched. `due_at` is set until that is done.
create table provider_event (
  environment text not null,
  event_id text not null,
  type text not null,
  subject_kind text not null,
  subject_id text not null,
  created_at bigint not null,
  received_at bigint not null,
  due_at bigint,
  attempts integer not null default 0,
  last_error text,
  done_at bigint,
  primary key (environment, event_id)
);
create index provider_event_due on provider_event (due_at) where due_at is not null;
create index provider_event_by_arrival on provider_event (environment, received_at);

-- How far the provider's own list of events has been compared with what arrived.
alter table environment add column reconciled_at bigint;

-- Checkouts under way; at most one of a customer is current. `checkout_key` is the idempotency key of its session;
-- `closed_at` is set when the session of a superseded one is being, or has been, closed.
create table checkout (
  customer_uid uuid not null references customer on delete cascade,
  checkout_key uuid not null,
  request_hash uuid not null,
  checkout_session_id text,
  success_url text,
  pricing_table_release_id text,
  created_at bigint not null,
  superseded_at bigint,
  closed_at bigint,
  primary key (customer_uid, checkout_key)
);
create unique index checkout_current on checkout (customer_uid) where superseded_at is null;
create index checkout_by_key on checkout (checkout_key);
create index checkout_by_creation on checkout (created_at);
