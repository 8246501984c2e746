-- RETIRED: it may be a user's by a write that is lost. Its seed stays.
alter table pooled_wallet drop constraint pooled_wallet_status_check;
alter table pooled_wallet add constraint pooled_wallet_status_check
  check (status in ('KEYED', 'READY', 'REFUSED', 'RETIRED')) not valid;

-- A position of PostgreSQL's log behind the commit that stored the seed: once a synchronous standby or
-- the archive has the log up to there, the address may be handed out. Null until it was read.
alter table pooled_wallet add column stored_lsn pg_lsn;
grant select (stored_lsn) on pooled_wallet to holdfast_api;
