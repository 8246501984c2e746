-- The key behind a secret, or a key by its id, with its marketplace. The caller has no marketplace
-- yet, so row-level security cannot be applied here.
create or replace function access.identify_api_key(wanted_hash bytea, wanted_id text)
returns table (id text, family_id text, name text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, requests_per_minute int, marketplace_id bigint,
  marketplace_public_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.id, k.family_id, k.name, k.scopes, k.expires_at, k.revoked_at,
    k.requests_per_minute, m.id, m.public_id
  from api_key k join marketplace m on m.id = k.marketplace_id
  where (wanted_hash is not null and k.key_hash = wanted_hash)
     or (wanted_hash is null and k.id = wanted_id)
$$;
alter function access.identify_api_key owner to holdfast_operator;
revoke execute on function access.identify_api_key from public;
grant execute on function access.identify_api_key to holdfast_api;
