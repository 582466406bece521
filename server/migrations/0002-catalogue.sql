-- Features, products and their versions, prices. Small; every process holds all of it in memory, confirmed by revision.

create table feature (
  feature_id uuid primary key,
  -- The narrow name of a feature in ledger and counters; never used again, so that rows of a deleted feature stay dead.
  feature_no integer generated always as identity unique,
  environment text not null references environment,
  feature_key text not null,
  name text not null,
  description text,
  type text not null check (type in ('boolean', 'limit')),
  tracks_usage boolean not null,
  usage_reset_interval text not null,
  usage_reset_anchor text not null,
  archived_at bigint,
  archived_reason text,
  created_at bigint not null,
  unique (environment, feature_key)
);

create table product (
  product_id uuid primary key,
  environment text not null references environment,
  product_key text not null,
  name text not null,
  type text not null check (type in ('provider', 'custom')),
  is_default boolean not null default false,
  metadata jsonb not null default '{}',
  provider_product_id text,
  -- Whether the provider has it active; generations order fetches, so that an older one never overwrites a newer.
  is_provider_active boolean not null default true,
  fetch_started bigint not null default 0,
  fetch_saved bigint not null default 0,
  archived_at bigint,
  created_at bigint not null,
  unique (environment, product_key),
  check ((type = 'provider') = (provider_product_id is not null)),
  check (not is_default or (type = 'custom' and archived_at is null))
);
create unique index product_one_default on product (environment) where is_default;
create unique index product_by_provider_product on product (environment, provider_product_id);

create table product_version (
  product_id uuid not null references product,
  version integer not null,
  created_at bigint not null,
  primary key (product_id, version)
);

create table feature_access_entry (
  product_id uuid not null,
  version integer not null,
  position integer not null,
  feature_id uuid not null references feature on delete cascade,
  has_access boolean not null,
  limit_amount numeric,
  is_unlimited boolean not null,
  primary key (product_id, version, feature_id),
  foreign key (product_id, version) references product_version
);
create index feature_access_entry_by_feature on feature_access_entry (feature_id);

create table price (
  price_id uuid primary key,
  product_id uuid not null references product,
  provider_price_id text not null,
  currency text,
  unit_amount numeric,
  recurring_interval text,
  recurring_interval_count integer,
  is_metered boolean not null,
  is_active boolean not null,
  is_default boolean not null,
  created_at bigint not null,
  unique (product_id, provider_price_id)
);
