-- Access of machines: the keys of marketplaces.

-- API keys: only a SHA-256 of the secret is stored. A rotated key starts a successor in its family,
-- and idempotency keys are scoped to the family, so a rotation between two retries repeats nothing.
create table api_key (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  family_id text collate "C" not null,
  name text not null,
  scopes text[] not null,
  key_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  rotated_from text collate "C",
  primary key (marketplace_id, id),
  -- Not led by the marketplace: the key is how the marketplace is found.
  constraint api_key_hash_key unique (key_hash),
  constraint api_key_hash_check check (octet_length(key_hash) = 32),
  constraint api_key_scopes_check
    check (scopes <@ array['read', 'write', 'support'] and cardinality(scopes) > 0)
);
create index api_key_id_idx on api_key (id);
call guard_tenant_table('api_key');
create policy operator on api_key to holdfast_operator using (true) with check (true);
-- An admin of a marketplace manages its keys, within the marketplace by row-level security.
grant select, insert, update (expires_at, revoked_at) on api_key to holdfast_app;
grant select, insert, update on api_key to holdfast_operator;
