-- The recorded fees of the escrow provider.
create or replace function work.recorded_contract_fees() returns numeric
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(f.provider_stroops), 0) from contract_fee f
$$;
alter function work.recorded_contract_fees owner to holdfast_operator;
revoke execute on function work.recorded_contract_fees from public;
grant execute on function work.recorded_contract_fees to holdfast_worker;
