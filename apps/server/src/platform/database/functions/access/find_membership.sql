-- The role of an active operator. An approved request is executed in the name of its requester, who
-- must still have the role.
create or replace function access.find_membership(wanted_operator text, wanted_marketplace bigint)
returns table (email text, name text, role text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.email, o.name, b.role from operator o
  join operator_membership b on b.operator_id = o.id and b.marketplace_id = wanted_marketplace
  where o.id = wanted_operator and o.status = 'ACTIVE'
$$;
alter function access.find_membership owner to holdfast_operator;
revoke execute on function access.find_membership from public;
grant execute on function access.find_membership to holdfast_api;
