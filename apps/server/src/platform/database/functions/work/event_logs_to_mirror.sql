-- Marketplaces whose event log is ahead of the mirror's cursor.
create or replace function work.event_logs_to_mirror(at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id from event_head h
  left join mirror_cursor c on c.marketplace_id = h.marketplace_id
  where h.position > coalesce(c.position, 0) order by h.position - coalesce(c.position, 0) limit at_most
$$;
alter function work.event_logs_to_mirror owner to holdfast_operator;
revoke execute on function work.event_logs_to_mirror from public;
grant execute on function work.event_logs_to_mirror to holdfast_worker;
