-- The two environments, the keys that open them, the limiter's windows and the log of changes.

-- `catalogue_revision` rises with every change of features, products, prices or the clock. Updating it is also the
-- catalogue's lock: two changes of one environment's catalogue never run side by side.
create table environment (
  environment text primary key check (environment in ('test', 'live')),
  catalogue_revision bigint not null default 1,
  -- Business time where it is frozen.
  frozen_at bigint,
  -- How far the provider's own list of events has been compared with what arrived.
  reconciled_at bigint
);
insert into environment (environment) values ('test'), ('live');

-- Real time in Unix ms.
create function clock_ms() returns bigint language sql volatile
  return floor(extract(epoch from clock_timestamp()) * 1000)::bigint;

-- Whether the catalogue, with it the frozen clock, is still the one of a decision, and its time has come; if so, both hold to
-- the end of the transaction. Whoever changes a catalogue takes the same lock exclusively before it commits, so that a write
-- is either over before the change is answered, or decided under it. The lock queues fairly, costs no WAL, and each
-- statement of this function sees what was committed before it began: one statement with a row lock would do neither.
create function confirm_moment(wanted_environment text, wanted_revision bigint, wanted_now bigint) returns boolean
language plpgsql volatile as $$
declare
  is_confirmed boolean;
begin
  perform pg_advisory_xact_lock_shared(4711, hashtext(wanted_environment));
  select catalogue_revision = wanted_revision and wanted_now <= coalesce(frozen_at, clock_ms()) into is_confirmed
  from environment where environment = wanted_environment;
  return is_confirmed;
end
$$;

-- The other side of that lock: waits until all writes that were decided under the catalogue as it was are over.
create function await_writes(changed_environment text) returns void language sql volatile
  begin atomic select pg_advisory_xact_lock(4711, hashtext(changed_environment)); end;

-- The moment as it is now, and as it stays to the end of the transaction but for the running of the clock.
create function open_moment(wanted_environment text)
returns table (catalogue_revision bigint, is_frozen boolean, now bigint)
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(4711, hashtext(wanted_environment));
  return query select e.catalogue_revision, e.frozen_at is not null, coalesce(e.frozen_at, clock_ms())
    from environment e where e.environment = wanted_environment;
end
$$;

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
