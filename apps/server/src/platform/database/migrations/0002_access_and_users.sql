-- API keys: only a SHA-256 of the secret is kept. A rotated key starts a successor in its family,
-- and idempotency keys are scoped to the family, so a rotation in mid-retry repeats nothing.
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
  -- Not led by the marketplace: a key is what tells us the marketplace.
  constraint api_key_hash_key unique (key_hash),
  constraint api_key_hash_check check (octet_length(key_hash) = 32),
  constraint api_key_scopes_check
    check (scopes <@ array['read', 'write', 'support'] and cardinality(scopes) > 0)
);
create index api_key_id_idx on api_key (id);
call guard_tenant_table('api_key');
create policy operator on api_key to holdfast_operator using (true) with check (true);
grant select on api_key to holdfast_app;
grant select, insert, update on api_key to holdfast_operator;

-- A caller has shown a secret or named a key and has no marketplace yet: two narrow ways in.
create schema access authorization holdfast_operator;
grant usage on schema access to holdfast_app;

create function access.find_api_key(wanted_hash bytea, wanted_id text)
returns table (id text, family_id text, name text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, marketplace_id bigint, marketplace_public_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.id, k.family_id, k.name, k.scopes, k.expires_at, k.revoked_at, m.id, m.public_id
  from api_key k join marketplace m on m.id = k.marketplace_id
  where (wanted_hash is not null and k.key_hash = wanted_hash)
     or (wanted_hash is null and k.id = wanted_id)
$$;

create function access.find_marketplace(wanted_public_id text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from marketplace where public_id = wanted_public_id
$$;

-- Last use is noted in passing, many keys at a time and never backward.
create function access.note_key_use(key_ids text[], used_at timestamptz[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with locked as (select id from api_key where id = any (key_ids) order by id for update)
  update api_key k set last_used_at = used.at
  from unnest(key_ids, used_at) as used (id, at), locked
  where k.id = used.id and k.id = locked.id and (k.last_used_at is null or k.last_used_at < used.at)
$$;

alter function access.find_api_key owner to holdfast_operator;
alter function access.find_marketplace owner to holdfast_operator;
alter function access.note_key_use owner to holdfast_operator;
revoke execute on all functions in schema access from public;
grant execute on all functions in schema access to holdfast_app;

create table users (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  external_user_id text not null,
  email text,
  type text not null,
  status text not null,
  deposit_currency text not null,
  payment_account_user_id text,
  payment_account_linked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint users_external_user_id_key unique (marketplace_id, external_user_id),
  constraint users_type_check check (type in ('BUYER', 'SELLER', 'BOTH')),
  constraint users_status_check check (status in ('ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION')),
  constraint users_deposit_currency_check check (deposit_currency in ('USD', 'USDC'))
);
call guard_tenant_table('users');
create policy books on users for select to holdfast_books using (true);
grant select, insert, update on users to holdfast_app;
grant select on users to holdfast_books;
