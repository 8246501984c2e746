-- Money that moves on the network for an order or a withdrawal right now, and the provider's fees
-- on contracts that have paid but whose fee is not recorded yet.
create or replace function work.in_transit_sums() returns table (asset text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'USDC', coalesce(sum(o.amount), 0) * 100000 from open_order w
  join orders o on o.marketplace_id = w.marketplace_id and o.id = w.order_id
  left join escrow e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id
  left join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
    and d.resolved_at is null
  where o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
    or d.decision is not null
  union all
  select case w.currency when 'XLM' then 'XLM' else 'USDC' end, sum(w.amount) * 100000
  from withdrawal w where w.destination_type = 'crypto'
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
  group by 1
  union all
  select 'USDC', coalesce(sum(e.amount * 100000 * 30 / 10000), 0) from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  where f.provider_stroops is null
$$;
alter function work.in_transit_sums owner to holdfast_operator;
revoke execute on function work.in_transit_sums from public;
grant execute on function work.in_transit_sums to holdfast_worker;
