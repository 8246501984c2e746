-- The number of wallets that the network has.
create or replace function work.wallets_known() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.status = 'READY'
$$;
alter function work.wallets_known owner to holdfast_operator;
revoke execute on function work.wallets_known from public;
grant execute on function work.wallets_known to holdfast_app;
