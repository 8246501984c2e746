-- The users that these addresses belong to.
create or replace function work.wallets_at(addresses text[])
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w where w.address = any (addresses)
$$;
alter function work.wallets_at owner to holdfast_operator;
revoke execute on function work.wallets_at from public;
grant execute on function work.wallets_at to holdfast_api, holdfast_worker;
