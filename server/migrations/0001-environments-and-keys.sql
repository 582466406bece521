-- The two environments, the keys that open them, the limiter's windows and the log of changes.

-- `catalogue_revision` rises with every change of features, products, prices or the clock. Updating it is also the
-- catalogue's lock: two changes of one environment's catalogue never run side by side.
create table environment (
  environment text primary key check (environment in ('test', 'live')),
  catalogue_revision bigint not null default 1,
  frozen_at bigint
);
insert into environment (environment) values ('test'), ('live');

create table api_key (
  key_id uuid primary key,
  environment text not null references environment,
  name text not null,
  scope text not null check (scope in ('full', 'read')),
  secret_hash bytea not null unique,
  last_four text not null,
  source text not null default 'created' check (source in ('created', 'configured')),
  created_at bigint not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);
create index api_key_by_environment on api_key (environment, created_at);

-- One row per key counts who asked during the window of the moment. Unlogged: after a crash a window starts afresh, which
-- is at most ten seconds of counting.
create unlogged table rate_window (
  key_id uuid primary key,
  window_at bigint not null,
  reads integer not null,
  writes integer not null
) with (fillfactor = 50);

create table audit_entry (
  entry_no bigint generated always as identity primary key,
  environment text not null,
  at bigint not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_entry_by_environment on audit_entry (environment, entry_no);
