-- Deleted features whose ledger rows are still to be removed: dead rows, walked off customer by customer.
create table feature_purge (
  feature_no integer primary key,
  -- Rows of customers up to this one are gone.
  purged_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
