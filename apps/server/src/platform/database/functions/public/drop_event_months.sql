-- Drops the months of the event log that lie wholly before a time. Never the last two days, for any
-- caller.
create or replace function drop_event_months(before timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month_partition record;
  dropped_count int := 0;
begin
  for month_partition in
    select c.relname,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.event'::regclass and c.relname ~ '^event_\d{4}_\d{2}$'
  loop
    if month_partition.ends <= least(before, now() - interval '2 days') then
      execute format('drop table public.%I', month_partition.relname);
      dropped_count := dropped_count + 1;
    end if;
  end loop;
  return dropped_count;
end $$;
revoke execute on function drop_event_months from public;
grant execute on function drop_event_months to holdfast_worker;
