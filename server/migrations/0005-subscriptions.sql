-- What customers subscribe to at the payment provider, as last fetched.

create table subscription (
  customer_uid uuid not null,
  subscription_id text not null,
  -- In the provider's own word, for showing; what it means here is the phase.
  status text not null,
  phase text not null check (phase in ('granting', 'suspended')),
  started_at bigint not null,
  billing_anchor_at bigint not null,
  canceled_at bigint,
  primary key (customer_uid, subscription_id)
);

create table subscription_item (
  customer_uid uuid not null,
  subscription_id text not null,
  item_id text not null,
  provider_product_id text not null,
  provider_price_id text not null,
  -- The product version held since the item was first seen; null when the product was not linked then.
  version integer,
  quantity integer not null,
  -- A metered item is billed by what was used: its quantity says nothing.
  is_metered boolean not null default false,
  currency text,
  unit_amount numeric,
  recurring_interval text,
  recurring_interval_count integer,
  is_active boolean not null,
  current_period_start bigint not null,
  current_period_end bigint not null,
  primary key (customer_uid, subscription_id, item_id),
  foreign key (customer_uid, subscription_id) references subscription on delete cascade
);
create index subscription_item_by_product on subscription_item (provider_product_id, customer_uid);
