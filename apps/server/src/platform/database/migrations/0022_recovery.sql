-- What the recovery of a lineage has done, by its parts. Belongs to the deployment, as `lineage` does.
create table recovery_step (
  lineage int not null references lineage (number),
  name text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  detail text not null,
  primary key (lineage, name)
);
grant select on recovery_step to holdfast_api, holdfast_worker, holdfast_operator;
grant insert, update (finished_at, detail) on recovery_step to holdfast_worker;

-- What happened without a record here, and a person has to settle. Not scoped to a marketplace: some of it
-- names none. `reference` is the transaction, the provider's record or the request.
create table recovery_finding (
  id text collate "C" primary key,
  lineage int not null references lineage (number),
  kind text not null,
  reference text not null,
  marketplace_public_id text,
  user_id text,
  resource_id text,
  amount text,
  currency text,
  detail text not null,
  found_at timestamptz not null,
  constraint recovery_finding_kind_check check (kind in ('UNRECORDED_PAYOUT', 'UNRECORDED_PAYIN',
    'UNRECORDED_ESCROW', 'UNRECORDED_STEP', 'ACKNOWLEDGED_WRITE_LOST')),
  constraint recovery_finding_reference_key unique (kind, reference)
);
grant select, insert on recovery_finding to holdfast_worker, holdfast_operator;
-- An API server reports which of its last writes are lost.
grant insert, select (id) on recovery_finding to holdfast_api;
