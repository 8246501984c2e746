-- The number of wallets that users got since then, over all marketplaces.
create or replace function work.count_wallets_since(since timestamptz) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.created_at > since
$$;
alter function work.count_wallets_since owner to holdfast_operator;
revoke execute on function work.count_wallets_since from public;
grant execute on function work.count_wallets_since to holdfast_worker;
