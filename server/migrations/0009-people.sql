-- The people who use the dashboard, where they are signed in, the links that let them in, and how often somebody guessed.
-- People are of the installation, not of an environment.

create table person (
  person_id uuid primary key,
  -- In lower case: it is what a person signs in with.
  email text not null unique,
  name text,
  role text not null check (role in ('admin', 'member', 'read')),
  -- Absent while the person is invited.
  password_hash text,
  created_at bigint not null,
  last_seen_at bigint
);

-- Only the hash of what the cookie carries: who reads this table can sign in nowhere.
create table person_session (
  token_hash bytea primary key,
  person_id uuid not null references person on delete cascade,
  created_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null
);
create index person_session_by_person on person_session (person_id);
create index person_session_by_end on person_session (expires_at);

-- A link is used once: its row goes with it. The first one belongs to nobody yet.
create table person_link (
  token_hash bytea primary key,
  kind text not null check (kind in ('first', 'invite', 'reset')),
  person_id uuid references person on delete cascade,
  created_at bigint not null,
  expires_at bigint not null,
  check ((kind = 'first') = (person_id is null))
);
create index person_link_by_person on person_link (person_id);
create index person_link_by_end on person_link (expires_at);

-- Attempts to sign in that did not succeed (yet), by account and by address. A subject is a few bits of a hash, so that there are
-- only so many of them whatever is tried, and none tells whom it is about.
create table sign_in_attempts (
  subject text primary key,
  attempts integer not null,
  last_at bigint not null,
  blocked_until bigint not null
);
create index sign_in_attempts_by_time on sign_in_attempts (last_at);

-- For whoever asks who changed one thing.
create index audit_entry_by_subject on audit_entry (environment, subject, entry_no);
