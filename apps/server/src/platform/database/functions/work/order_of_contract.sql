-- The order and escrow of a contract: a provider can name nothing else.
create or replace function work.order_of_contract(wanted_contract text)
returns table (marketplace_id bigint, order_id text, escrow_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.marketplace_id, e.order_id, e.id from contract c
  join escrow e on e.marketplace_id = c.marketplace_id and e.id = c.escrow_id
  where c.provider_contract_id = wanted_contract
$$;
alter function work.order_of_contract owner to holdfast_operator;
revoke execute on function work.order_of_contract from public;
grant execute on function work.order_of_contract to holdfast_api, holdfast_worker;
