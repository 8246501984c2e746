-- Approvals: what an operator asked for that another one must agree to. The request is kept as it
-- was sent, and is carried out by the very route that took it.
create table approval (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  -- The endpoint, and what its path names.
  action text not null,
  resource_id text collate "C" not null,
  request jsonb not null,
  -- Endpoint, path and body: the same thing is not asked for twice at a time.
  request_hash uuid not null,
  amount bigint not null,
  currency text not null,
  reason text not null,
  requested_by text collate "C" not null references operator (id),
  requested_by_email text not null,
  requested_by_name text not null,
  decided_by text collate "C" references operator (id),
  decided_by_email text,
  decided_by_name text,
  decision_reason text,
  decided_at timestamptz,
  refusal_code text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint approval_status_check
    check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'EXECUTED', 'FAILED')),
  constraint approval_second_person_check check (decided_by <> requested_by),
  constraint approval_decision_check check (
    (status in ('PENDING', 'EXPIRED')) = (decided_by is null)
    and num_nulls(decided_by, decided_by_email, decided_by_name, decided_at) in (0, 4))
);
create unique index approval_pending_key on approval (marketplace_id, request_hash)
  where status = 'PENDING';
create index approval_resource_idx on approval (marketplace_id, resource_id, id);
call guard_tenant_table('approval');
grant select, insert on approval to holdfast_app;
grant update (status, decided_by, decided_by_email, decided_by_name, decision_reason, decided_at,
  refusal_code, updated_at) on approval to holdfast_app;
