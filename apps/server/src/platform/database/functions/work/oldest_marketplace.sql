-- The marketplace whose audit log records actions of the house when no marketplace is the
-- operator's own.
create or replace function work.oldest_marketplace() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select min(m.id) from marketplace m
$$;
alter function work.oldest_marketplace owner to holdfast_operator;
revoke execute on function work.oldest_marketplace from public;
grant execute on function work.oldest_marketplace to holdfast_api, holdfast_worker;
