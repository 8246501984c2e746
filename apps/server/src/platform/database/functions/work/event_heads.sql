-- The last position in the event log of each of these marketplaces.
create or replace function work.event_heads(marketplaces bigint[])
returns table (marketplace_id bigint, "position" bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, h.position from event_head h where h.marketplace_id = any (marketplaces)
$$;
alter function work.event_heads owner to holdfast_operator;
revoke execute on function work.event_heads from public;
grant execute on function work.event_heads to holdfast_api, holdfast_worker;
