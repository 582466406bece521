-- What the dashboard's charts and lists are drawn from: sums of the ledger, how near customers are to their limits, what they
-- hold, and counts of what was refused. All but the counts can be made again from the other tables, and a job keeps them so.

-- One job at a time works on an environment: it takes a turn for some seconds, and whatever it then writes asks whether the turn is
-- still its own. The walk visits all customers after a change of the catalogue or the clock.
create table statistics_progress (
  environment text primary key references environment,
  turn_no bigint not null default 0,
  taken_until bigint not null default 0,
  walked_revision bigint not null default 0,
  walking_revision bigint,
  walked_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into statistics_progress (environment) values ('test'), ('live');

-- Customers whose statistics must be made anew, and from when on (business time): some seconds after a write, else when a period
-- or a bonus ends. Apart from the customer's row, which no index may make dear to update.
create table statistics_due (
  customer_uid uuid primary key,
  environment text not null,
  due_at bigint not null
) with (fillfactor = 70);
create index statistics_due_by_time on statistics_due (environment, due_at);

-- Sums of a customer's live events. An hour keeps the main product that was held when it was first summed up. `last_at` finds the
-- newest events of an environment: any event lies in an hour whose last event is not earlier. Never more rows than events.
create table usage_hour (
  customer_uid uuid not null,
  hour_at bigint not null,
  feature_no integer not null,
  product_no integer not null,
  amount numeric not null,
  events integer not null,
  last_at bigint not null,
  primary key (customer_uid, hour_at, feature_no)
);
create index usage_hour_by_last on usage_hour (feature_no, last_at desc);

-- The same by day; finds who used most.
create table usage_day (
  customer_uid uuid not null,
  day_at bigint not null,
  feature_no integer not null,
  amount numeric not null,
  events integer not null,
  primary key (customer_uid, day_at, feature_no)
);
create index usage_day_by_amount on usage_day (feature_no, day_at, amount desc, customer_uid);

-- The same over all customers. A feature is of one environment, so these need not say of which.
create table usage_total (
  feature_no integer not null,
  hour_at bigint not null,
  product_no integer not null,
  amount numeric not null,
  events bigint not null,
  primary key (feature_no, hour_at, product_no)
) with (fillfactor = 70);

-- How many customers had an event on a day.
create table active_day (
  environment text not null,
  day_at bigint not null,
  customers bigint not null,
  primary key (environment, day_at)
);

-- How near a customer is to each limit; `share` is absent without one. It counts as unused once `resets_at` has passed. The one
-- with the largest share is the hottest of its customer; a customer with no limits at all has one of the feature 0, so that every
-- customer is found by its hottest.
create table customer_standing (
  customer_uid uuid not null,
  feature_no integer not null,
  environment text not null,
  used numeric not null,
  allowance numeric,
  share double precision,
  resets_at bigint,
  is_hottest boolean not null,
  primary key (customer_uid, feature_no)
);
create index customer_standing_hottest on customer_standing (environment, coalesce(share, -1), customer_uid) where is_hottest;
-- Has all that is counted over a feature, so that the table need not be read for it.
create index customer_standing_by_share on customer_standing (feature_no, coalesce(share, -1), customer_uid)
  include (share, resets_at, used, allowance);
create index customer_standing_by_use on customer_standing (feature_no, used);

-- The limit as it was from an instant on; absent when unlimited.
create table limit_change (
  customer_uid uuid not null,
  feature_no integer not null,
  changed_at bigint not null,
  limit_amount numeric,
  primary key (customer_uid, feature_no, changed_at)
);

create table customer_held (
  customer_uid uuid not null,
  product_no integer not null,
  version integer not null,
  primary key (customer_uid, product_no)
);
create index customer_held_by_product on customer_held (product_no, version, customer_uid);

-- What was refused for want of access or allowance; business time.
create table refusal_hour (
  feature_no integer not null,
  hour_at bigint not null,
  reason text not null,
  refusals bigint not null,
  primary key (feature_no, hour_at, reason)
);

-- Requests with a key; real time.
create table request_minute (
  key_id uuid not null,
  minute_at bigint not null,
  requests bigint not null,
  limited bigint not null,
  failed bigint not null,
  primary key (key_id, minute_at)
);
create index request_minute_by_time on request_minute (minute_at);

-- The customer that an entry of the log concerns, for its timeline.
alter table audit_entry add column customer_uid uuid;
create index audit_entry_by_customer on audit_entry (customer_uid, entry_no) where customer_uid is not null;
