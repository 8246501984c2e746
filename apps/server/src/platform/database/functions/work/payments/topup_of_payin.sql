-- The top-up of a pay-in, by our name for it or the provider's.
create or replace function work.topup_of_payin(wanted_name text)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.marketplace_id, p.topup_id from payin_reference p where p.name = wanted_name
$$;
alter function work.topup_of_payin owner to holdfast_operator;
revoke execute on function work.topup_of_payin from public;
grant execute on function work.topup_of_payin to holdfast_api, holdfast_worker;
