-- What users' addresses are known to hold, how much of it is dust, how much the mirror still has to
-- move, and how much the addresses were found to lack.
create or replace function work.mirrored_sums()
returns table (asset text, stroops numeric, dust numeric, moving numeric, lacking numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with booked as (
    select a.marketplace_id, a.owner_id as user_id,
      case a.currency when 'XLM' then 'XLM' else 'USDC' end as asset,
      sum(a.available + a.reserved) * 100000 as stroops
    from account a where a.kind = 'user' group by 1, 2, 3)
  select asset, coalesce(sum(m.stroops), 0), coalesce(sum(m.dust_stroops), 0),
    coalesce(sum(abs(coalesce(b.stroops, 0) + coalesce(m.dust_stroops, 0) - coalesce(m.stroops, 0))), 0),
    coalesce((select sum(s.stroops) from address_shortfall s where s.asset = both_sides.asset), 0)
  from (select marketplace_id, user_id, asset from booked
    union select marketplace_id, user_id, asset from wallet_mirror) both_sides
  left join booked b using (marketplace_id, user_id, asset)
  left join wallet_mirror m using (marketplace_id, user_id, asset)
  group by asset
$$;
alter function work.mirrored_sums owner to holdfast_operator;
revoke execute on function work.mirrored_sums from public;
grant execute on function work.mirrored_sums to holdfast_worker;
