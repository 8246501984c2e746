-- The withdrawal of a pay-out, by the provider's name for it or ours.
create or replace function work.withdrawal_of_payout(wanted_payout text, wanted_code text)
returns table (marketplace_id bigint, withdrawal_id text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select w.marketplace_id, w.id from withdrawal w
    where w.provider_payout_id = wanted_payout limit 1;
  if found then return; end if;
  -- By the key, once for each marketplace: an index by id alone would be one more for serializable
  -- transactions to collide in, and this is only reached by pay-outs whose name is not known yet.
  return query select m.id, named.id
    from unnest(array[wanted_code, wanted_payout]) as named (id) cross join marketplace m
    where exists (select from withdrawal w where w.marketplace_id = m.id and w.id = named.id) limit 1;
end $$;
alter function work.withdrawal_of_payout owner to holdfast_operator;
revoke execute on function work.withdrawal_of_payout from public;
grant execute on function work.withdrawal_of_payout to holdfast_api, holdfast_worker;
