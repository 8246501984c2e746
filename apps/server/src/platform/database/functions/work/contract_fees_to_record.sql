-- Contracts that have paid and whose fee is not recorded, with the transactions that paid. A
-- contract of several milestones pays in several transactions, and a webhook can report the last
-- one before its final status is recorded here: a fee computed from the others would stay too
-- small.
create or replace function work.contract_fees_to_record(at_most int)
returns table (marketplace_id bigint, escrow_id text, contract_id text, hashes text[])
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.id, e.provider_contract_id, paid.hashes
  from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  cross join lateral (
    select coalesce(array_agg(v.hash) filter (where v.state = 'APPLIED'), '{}') as hashes,
      coalesce(bool_or(v.state = 'OPEN'), false) as is_open
    from operation o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
    join envelope v on v.marketplace_id = s.marketplace_id and v.purpose = s.purpose
    where o.marketplace_id = f.marketplace_id and o.resource_id = f.order_id
      -- All money of a contract moves out of it, but for its funding.
      and s.moves_money and o.kind <> 'fund-escrow'
  ) paid
  where f.provider_stroops is null and not paid.is_open order by f.escrow_id limit at_most
$$;
alter function work.contract_fees_to_record owner to holdfast_operator;
revoke execute on function work.contract_fees_to_record from public;
grant execute on function work.contract_fees_to_record to holdfast_worker;
