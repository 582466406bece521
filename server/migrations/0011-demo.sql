-- Demo data: whether it was made, and which features, products and customers are its own.

-- One an environment. `made_at` is the business time that all of it is counted back from, so that going on after a crash makes
-- the very same. What was removed is not made again by the next start.
create table demo (
  environment text primary key references environment,
  run_id uuid not null,
  made_at bigint not null,
  -- How many of its customers, in their order, are complete.
  customers_made integer not null default 0,
  -- In real time: set once catalogue and first customer are there, until all is; whoever makes the rest keeps it ahead.
  due_at bigint,
  finished_at bigint,
  removed_at bigint
);

-- `object_id` is the feature's, the product's, or the customer's uid: what somebody made anew under the same key is not among them.
create table demo_object (
  environment text not null references demo,
  kind text not null check (kind in ('feature', 'product', 'customer')),
  object_id uuid not null,
  primary key (environment, kind, object_id)
);

-- For whoever looks at what the provider lacks, and at what a moved clock brought.
create index customer_unlinked on customer (environment) where provider_customer_id is null;
create index audit_entry_by_time on audit_entry (environment, at, entry_no);
