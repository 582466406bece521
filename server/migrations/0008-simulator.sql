-- The provider simulator's own memory: nothing of the service refers to it, as nothing could refer into a real provider.

create table simulator_object (
  environment text not null check (environment in ('test', 'live')),
  id text not null,
  object text not null,
  -- Lists are newest first by the order of making; business time may run backwards, this does not.
  position bigint generated always as identity,
  -- Unix seconds, as in the provider's protocol.
  created bigint not null,
  -- The customer (of a subscription, session, payment method) or product (of a price) that lists are filtered by.
  owner text,
  -- Business time, in seconds, at which the object next changes by itself; null if never.
  due_at bigint,
  body jsonb not null,
  primary key (environment, id)
);

create index simulator_object_list on simulator_object (environment, object, position desc);
create index simulator_object_owner on simulator_object (environment, object, owner, position desc) where owner is not null;
create index simulator_object_due on simulator_object (environment, due_at) where due_at is not null;

-- Answers kept for 24 hours, so that a repeated request with the same idempotency key gets the first answer.
create table simulator_request (
  environment text not null,
  idempotency_key text not null,
  fingerprint text not null,
  status int not null,
  body jsonb not null,
  answered_at bigint not null,
  primary key (environment, idempotency_key)
);

-- Webhooks still to be delivered; a delivered one is deleted.
create table simulator_delivery (
  delivery_id bigint generated always as identity primary key,
  environment text not null,
  event_id text not null,
  attempts int not null default 0,
  next_attempt_at bigint not null
);

create index simulator_delivery_next on simulator_delivery (next_attempt_at);
