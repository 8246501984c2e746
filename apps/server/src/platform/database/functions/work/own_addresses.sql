-- Which of these addresses are ours: of users, of the house, of the pool, of contracts.
create or replace function work.own_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select address from wallet where address = any (addresses)
  union all select address from house_wallet where address = any (addresses)
  union all select address from pooled_wallet where address = any (addresses)
  union all select provider_contract_id from contract where provider_contract_id = any (addresses)
$$;
alter function work.own_addresses owner to holdfast_operator;
revoke execute on function work.own_addresses from public;
grant execute on function work.own_addresses to holdfast_api, holdfast_worker;
