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
  -- Kept while usage is not tracked, so that turning it on again restores them.
  usage_reset_interval text not null,
  usage_reset_anchor text not null,
  archived_at bigint,
  archived_reason text,
  created_at bigint not null,
  unique (environment, feature_key)
);

create table product (
  product_id uuid primary key,
  -- The order of making: business time may stand still or run backwards.
  product_no integer generated always as identity,
  environment text not null references environment,
  product_key text not null,
  name text not null,
  type text not null check (type in ('provider', 'custom')),
  is_default boolean not null default false,
  -- An add-on adds to what is held and never displaces the default product.
  is_add_on boolean not null default false,
  -- Whether its limits are multiplied by the quantity bought.
  limits_per_unit boolean not null default false,
  -- Marked when it is first made the default: from then on it can be archived, not deleted.
  was_default boolean not null default false,
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
  check (not is_default or (type = 'custom' and archived_at is null and not is_add_on)),
  check (not limits_per_unit or type = 'provider')
);
create unique index product_one_default on product (environment) where is_default;
create unique index product_by_provider_product on product (environment, provider_product_id);

-- Products that were ever assigned, which cannot be deleted. Apart from their rows: whoever assigns one must not wait for a
-- change of the catalogue, which waits for whoever is writing under the catalogue as it was.
create table assigned_product (
  product_id uuid primary key
);

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
