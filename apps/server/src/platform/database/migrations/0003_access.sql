-- Access of machines: the keys of marketplaces. And what stops a marketplace.

-- API keys: only a SHA-256 of the secret is stored. A rotated key starts a successor in its family,
-- and idempotency keys are scoped to the family, so a rotation between two retries repeats nothing.
create table api_key (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  family_id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  -- Null until the operator who requested the key has fetched its secret.
  key_hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz,
  -- As issued. A rotation ends expires_at early; the successor lives as long as this one would have.
  issued_until timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  rotated_from text collate "C",
  -- The operators who requested and approved it; null where the master key created it.
  created_by text collate "C",
  created_by_name text,
  approved_by text collate "C",
  approved_by_name text,
  primary key (marketplace_id, id),
  -- Not led by the marketplace: the key is how the marketplace is found.
  constraint api_key_hash_key unique (key_hash),
  constraint api_key_hash_check check (octet_length(key_hash) = 32),
  constraint api_key_operators_check check (
    num_nulls(created_by, created_by_name, approved_by, approved_by_name) in (0, 4)
    and approved_by <> created_by
    and (created_by is null or expires_at is not null)
    and (created_by is not null or key_hash is not null)),
  constraint api_key_scopes_check
    check (scopes <@ array['read', 'write', 'support'] and cardinality(scopes) > 0)
);
create index api_key_id_idx on api_key (id);
create index api_key_created_by_idx on api_key (created_by) where created_by is not null;
call guard_tenant_table('api_key');
create policy operator on api_key to holdfast_operator using (true) with check (true);
-- An admin of a marketplace manages its keys, within the marketplace by row-level security.
grant select, insert, update (expires_at, revoked_at, key_hash) on api_key to holdfast_api;
grant select, insert, update on api_key to holdfast_operator;

-- What a marketplace has settled about its payments, in versions that never change: the newest
-- applies to what starts now, and what has started stays under its own.
create table marketplace_terms (
  marketplace_id bigint not null references marketplace (id),
  version int not null,
  -- Who bears the payment provider's fee on a top-up.
  payin_fee text not null,
  -- Whether a user whose payment was reversed is suspended.
  suspend_on_reversal boolean not null,
  -- What users may owe in all, in cents; above it payouts of the marketplace stop.
  debt_limit bigint not null,
  reason text not null,
  set_by text not null,
  set_at timestamptz not null,
  primary key (marketplace_id, version),
  constraint marketplace_terms_version_check check (version > 0 and debt_limit >= 0),
  constraint marketplace_terms_payin_fee_check check (payin_fee in ('MARKETPLACE', 'USER'))
);
call guard_tenant_table('marketplace_terms');
create policy operator on marketplace_terms to holdfast_operator using (true) with check (true);
grant select, insert on marketplace_terms to holdfast_api, holdfast_operator;
grant select on marketplace_terms to holdfast_worker;

-- The stops of a marketplace, standing and lifted. What a level forbids reads the standing ones in
-- its own transaction; `settled_at` says when the last transaction that began without seeing the
-- stop had ended.
create table marketplace_stop (
  marketplace_id bigint not null references marketplace (id),
  id bigint generated always as identity,
  level text not null,
  reason text not null,
  stopped_by text not null,
  since timestamptz not null,
  -- The transactions that were open after the stop's commit, until they have ended.
  awaited text[],
  settled_at timestamptz,
  lifted_by text,
  lift_reason text,
  lifted_at timestamptz,
  primary key (marketplace_id, id),
  constraint marketplace_stop_level_check check (level in ('PAYOUTS', 'MONEY', 'SIGNING')),
  constraint marketplace_stop_lift_check
    check (num_nulls(lifted_by, lift_reason, lifted_at) in (0, 3))
);
create unique index marketplace_stop_standing_key on marketplace_stop (marketplace_id, level)
  where lifted_at is null;
call guard_tenant_table('marketplace_stop');
create policy operator on marketplace_stop to holdfast_operator using (true) with check (true);
create policy books on marketplace_stop for select to holdfast_books using (true);
grant select, insert, update (awaited, settled_at, lifted_by, lift_reason, lifted_at) on
  marketplace_stop to holdfast_api, holdfast_operator;
grant select, insert, update (awaited, settled_at) on marketplace_stop to holdfast_worker;
grant select on marketplace_stop to holdfast_books;
