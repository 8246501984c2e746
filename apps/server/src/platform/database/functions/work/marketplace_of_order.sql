-- The marketplace of an order that a provider has named.
create or replace function work.marketplace_of_order(wanted_order text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  -- By the key of orders, once for each marketplace: an index by id alone would be one more for
  -- serializable transactions to collide in, and this is only called during a deployment.
  select m.id from marketplace m
  where exists (select from orders o where o.marketplace_id = m.id and o.id = wanted_order)
$$;
alter function work.marketplace_of_order owner to holdfast_operator;
revoke execute on function work.marketplace_of_order from public;
grant execute on function work.marketplace_of_order to holdfast_api, holdfast_worker;
