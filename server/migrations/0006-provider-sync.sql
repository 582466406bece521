-- What keeps customers and products in step with the payment provider. Times of jobs are real time.

-- Provider events as they arrived, stored before they are acknowledged. Only their subject is used: its current state is
-- fetched. `due_at` is set until that is done.
create table provider_event (
  environment text not null,
  event_id text not null,
  type text not null,
  subject_kind text not null check (subject_kind in ('customer', 'product')),
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

-- Checkouts and changes under way; at most one of a customer is current. `checkout_key` is the idempotency key of a session;
-- `close_due_at`, in real time, is set while the session of a superseded one may still be open.
create table checkout (
  customer_uid uuid not null,
  checkout_key uuid not null,
  request_hash uuid not null,
  checkout_session_id text,
  success_url text,
  pricing_table_release_id text,
  metadata jsonb not null default '{}',
  created_at bigint not null,
  superseded_at bigint,
  close_due_at bigint,
  primary key (customer_uid, checkout_key)
);
create unique index checkout_current on checkout (customer_uid) where superseded_at is null;
create index checkout_by_key on checkout (checkout_key);
create index checkout_close_due on checkout (close_due_at) where close_due_at is not null;
create index checkout_by_creation on checkout (created_at);

-- The provider's page that confirms changes to a price, made at the first change to it.
create table change_page (
  environment text not null,
  provider_price_id text not null,
  change_page_id text not null,
  primary key (environment, provider_price_id)
);

-- An import of the provider's catalogue that is under way; whoever does it keeps `due_at` ahead, in real time.
create table catalogue_import (
  environment text primary key,
  due_at bigint not null,
  attempts integer not null default 0
);
