-- Addresses that were found to lack something.
create or replace function work.wallets_with_shortfall(at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct w.marketplace_id, w.user_id, w.address from address_shortfall s
  join wallet w on w.marketplace_id = s.marketplace_id and w.user_id = s.user_id limit at_most
$$;
alter function work.wallets_with_shortfall owner to holdfast_operator;
revoke execute on function work.wallets_with_shortfall from public;
grant execute on function work.wallets_with_shortfall to holdfast_worker;
