-- Which of these keys have ended: revoked or expired.
create or replace function access.inactive_keys(key_ids text[], at timestamptz) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(key_ids) as wanted
  where not exists (select from api_key k where k.id = wanted and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > at))
$$;
alter function access.inactive_keys owner to holdfast_operator;
revoke execute on function access.inactive_keys from public;
grant execute on function access.inactive_keys to holdfast_api;
