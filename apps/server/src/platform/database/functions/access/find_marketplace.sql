-- The number of a marketplace by its public id, for callers that act outside of one.
create or replace function access.find_marketplace(wanted_public_id text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from marketplace where public_id = wanted_public_id
$$;
alter function access.find_marketplace owner to holdfast_operator;
revoke execute on function access.find_marketplace from public;
grant execute on function access.find_marketplace to holdfast_api;
