-- The ledger of usage, its counters, and bonuses. Rows of a deleted feature are dead because a feature number is never used
-- again.

-- The truth. `key_hash` is the event key first recorded with, taken for ever: a deleted event keeps its row, and an event
-- that was given another key has a row for that key too (`alias_of`), so one look-up finds any taken key. It also finds an
-- event by id, for an id carries it: the ledger needs no index for ids.
create table usage_event (
  customer_uid uuid not null,
  feature_no integer not null,
  key_hash uuid not null,
  -- The customer's revision it was recorded at: its place in the order of commits.
  event_no bigint not null,
  occurred_at bigint not null,
  amount numeric not null,
  -- What a retry is compared with: the amount first recorded where it was edited since, what a set asked for (only
  -- adjustments have it), and `occurredAt` where the caller sent one.
  first_amount numeric,
  sent_used numeric,
  sent_occurred_at bigint,
  event_key text,
  metadata jsonb,
  deleted_at bigint,
  alias_of uuid,
  primary key (customer_uid, feature_no, key_hash)
);
create index usage_event_by_time on usage_event (customer_uid, feature_no, occurred_at)
  where deleted_at is null and alias_of is null;

-- The sum of the live events of a span of time, and the runs of draws on bonuses made in it. Every row is true, whether or
-- not its span is a period by today's rules; a missing one is computed. Led by the end, so that those not over come first.
create table usage_counter (
  customer_uid uuid not null,
  period_end bigint not null,
  feature_no integer not null,
  period_start bigint not null,
  total numeric not null,
  draw_bonus uuid[] not null default '{}',
  draw_amount numeric[] not null default '{}',
  primary key (customer_uid, period_end, feature_no, period_start)
) with (fillfactor = 50);

create table bonus (
  customer_uid uuid not null,
  bonus_id uuid not null,
  feature_no integer not null,
  amount numeric not null check (amount > 0),
  drawn numeric not null default 0 check (drawn between 0 and amount),
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint,
  reason text,
  metadata jsonb not null default '{}',
  primary key (customer_uid, bonus_id)
);
create index bonus_open on bonus (customer_uid) where drawn < amount;
create index bonus_by_id on bonus (bonus_id);

-- Every draw with its instant, so that a changed period can be drawn up again.
create table bonus_draw (
  customer_uid uuid not null,
  feature_no integer not null,
  drawn_at bigint not null,
  event_no bigint not null,
  position integer not null,
  bonus_id uuid not null,
  amount numeric not null check (amount > 0),
  primary key (customer_uid, feature_no, event_no, position)
);
create index bonus_draw_by_time on bonus_draw (customer_uid, feature_no, drawn_at);

-- Answers to bonuses that were asked for with an Idempotency-Key.
create table bonus_request (
  customer_uid uuid not null,
  key_hash uuid not null,
  body_hash uuid not null,
  answer jsonb not null,
  primary key (customer_uid, key_hash)
);

-- Deleted features whose ledger rows are still to be removed: dead rows, walked off customer by customer.
create table feature_purge (
  feature_no integer primary key,
  -- Rows of customers up to this one are gone.
  purged_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
