-- Webhook lanes that need a worker. An idle lane is due as soon as there are events behind its
-- cursor. A lane with a worker, or one that waits for its next try, is lost when it is due and has
-- shown no sign of life since a time.
create or replace function work.webhook_lanes_to_run(at_most int, at timestamptz,
  silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int, lease_no int, is_lost boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.id, l.epoch, l.lease_no, l.is_leased or l.failures > 0
  from webhook_lane l
  join webhook_endpoint e on e.marketplace_id = l.marketplace_id and e.id = l.endpoint_id
  left join event_head h on h.marketplace_id = l.marketplace_id
  where l.status = 'OPEN' and l.next_try_at <= at
    and (e.status = 'ACTIVE' or (e.status = 'PAUSED' and l.kind = 'TEST'))
    and (l.kind <> 'LIVE' or h.position > l.position)
    and ((not l.is_leased and l.failures = 0)
      or greatest(l.next_try_at, l.heartbeat_at) <= silent_since)
  order by l.next_try_at limit at_most
$$;
alter function work.webhook_lanes_to_run owner to holdfast_operator;
revoke execute on function work.webhook_lanes_to_run from public;
grant execute on function work.webhook_lanes_to_run to holdfast_worker;
