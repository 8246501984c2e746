-- Creates the request log's partitions of the next days and drops those past the retention. Runs as
-- the owner of the tables and takes nothing but a small number, so that the worker can call it.
-- Returns how many it dropped.
create or replace function maintain_request_log_partitions(days_kept int) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today timestamptz := date_trunc('day', now() at time zone 'UTC') at time zone 'UTC';
  day timestamptz;
  day_partition text;
  dropped_count int := 0;
begin
  if days_kept not between 1 and 90 then
    raise exception 'days_kept must lie between 1 and 90';
  end if;
  -- Of two workers at the same time, the second finds the work done.
  perform pg_advisory_xact_lock(hashtext('maintain_request_log_partitions'));
  for ahead in 0..2 loop
    day := today + make_interval(days => ahead);
    day_partition := 'request_log_' || to_char(day at time zone 'UTC', 'YYYY_MM_DD');
    continue when to_regclass('public.' || day_partition) is not null;
    begin
      execute format('create table public.%I partition of public.request_log for values from (%L) to (%L)',
        day_partition, id_floor('req', day), id_floor('req', day + interval '1 day'));
      execute format('alter table public.%I enable row level security', day_partition);
      execute format('alter table public.%I force row level security', day_partition);
    exception when check_violation then
      -- Requests of this day are in the default partition: they stay there and are still found.
      raise warning '% has rows in the default partition', day_partition;
    end;
  end loop;
  for day_partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.request_log'::regclass
      and c.relname ~ '^request_log_\d{4}_\d\d_\d\d$'
      and c.relname < 'request_log_' || to_char((today - make_interval(days => days_kept)) at time zone 'UTC', 'YYYY_MM_DD')
  loop
    execute format('drop table public.%I', day_partition);
    dropped_count := dropped_count + 1;
  end loop;
  delete from request_log_default
  where id < id_floor('req', today - make_interval(days => days_kept));
  return dropped_count;
end $$;
revoke execute on function maintain_request_log_partitions from public;
grant execute on function maintain_request_log_partitions to holdfast_worker;
