-- Whether an address is the house's, a pooled wallet's or any user's, in any marketplace.
create or replace function work.is_own_address(wanted_address text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from house_wallet h where h.address = wanted_address)
    or exists (select from pooled_wallet s where s.address = wanted_address)
    or exists (select from wallet w where w.address = wanted_address)
$$;
alter function work.is_own_address owner to holdfast_operator;
revoke execute on function work.is_own_address from public;
grant execute on function work.is_own_address to holdfast_api;
