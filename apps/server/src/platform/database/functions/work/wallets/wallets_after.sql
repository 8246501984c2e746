-- The next addresses of the walk through all addresses.
create or replace function work.wallets_after(last_address text, at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w
  where w.address > last_address and w.status = 'READY' order by w.address limit at_most
$$;
alter function work.wallets_after owner to holdfast_operator;
revoke execute on function work.wallets_after from public;
grant execute on function work.wallets_after to holdfast_worker;
