-- The number of wallets that the network has.
create or replace function work.count_ready_wallets() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.status = 'READY'
$$;
alter function work.count_ready_wallets owner to holdfast_operator;
revoke execute on function work.count_ready_wallets from public;
grant execute on function work.count_ready_wallets to holdfast_worker;
