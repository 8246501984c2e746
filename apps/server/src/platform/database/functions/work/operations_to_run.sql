-- Operations that are due and have shown no sign of life since a time.
create or replace function work.operations_to_run(at_most int, silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.marketplace_id, o.id, o.epoch from open_operation w
  join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id
  where greatest(o.next_try_at, o.heartbeat_at) <= silent_since
  order by greatest(o.next_try_at, o.heartbeat_at) limit at_most
$$;
alter function work.operations_to_run owner to holdfast_operator;
revoke execute on function work.operations_to_run from public;
grant execute on function work.operations_to_run to holdfast_worker;
