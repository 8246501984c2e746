-- What either side says about a dispute after it was opened. Written once; what its opener brought
-- stands in the dispute itself.
create table dispute_evidence (
  marketplace_id bigint not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  party text not null,
  statement text,
  evidence text[] not null,
  added_by text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, dispute_id, id),
  constraint dispute_evidence_party_check check (party in ('BUYER', 'SELLER')),
  constraint dispute_evidence_said_check
    check (statement is not null or cardinality(evidence) > 0)
);
call guard_tenant_table('dispute_evidence');
grant select, insert on dispute_evidence to holdfast_app;
