-- Marketplaces whose hourly sums are behind.
create or replace function work.insights_to_sum(until timestamptz, at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m left join insight_head h on h.marketplace_id = m.id
  where h.summed_until is null or h.summed_until < until
  order by h.summed_until nulls first, m.id limit at_most
$$;
alter function work.insights_to_sum owner to holdfast_operator;
revoke execute on function work.insights_to_sum from public;
grant execute on function work.insights_to_sum to holdfast_worker;
