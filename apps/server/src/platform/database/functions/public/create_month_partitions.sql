-- Creates the monthly partitions of journal, event log and audit ahead of time. Runs as the owner
-- of the tables and takes nothing but a small number, so that the worker can call it. Returns how
-- many it created.
create or replace function create_month_partitions(months_ahead int) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamptz;
  next_month timestamptz;
  month_partition record;
  created_count int := 0;
begin
  if months_ahead not between 0 and 24 then
    raise exception 'months_ahead must lie between 0 and 24';
  end if;
  -- Of two workers at the same time, the second finds the work done.
  perform pg_advisory_xact_lock(hashtext('create_month_partitions'));
  for ahead in -1..months_ahead loop
    month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))
      at time zone 'UTC';
    next_month := ((month at time zone 'UTC') + interval '1 month') at time zone 'UTC';
    for month_partition in
      select parent, parent || to_char(month at time zone 'UTC', '_YYYY_MM') as part, low, high
      from (values
        ('entry', books.entry_id_floor(month)::text, books.entry_id_floor(next_month)::text),
        ('event', month::text, next_month::text),
        ('audit', id_floor('aud', month), id_floor('aud', next_month)),
        ('audit_link', id_floor('aud', month), id_floor('aud', next_month)))
        as bounds (parent, low, high)
    loop
      continue when to_regclass('public.' || month_partition.part) is not null;
      -- Events happen now or later; an older month was dropped on purpose.
      continue when month_partition.parent = 'event' and ahead < 0;
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
          month_partition.part, month_partition.parent, month_partition.low, month_partition.high);
        call finish_partition(month_partition.parent, month_partition.part);
        created_count := created_count + 1;
      exception when check_violation then
        -- Rows of this month are in the default partition: they stay there and are still found.
        raise warning '% has rows in its default partition', month_partition.part;
      end;
    end loop;
  end loop;
  return created_count;
end $$;
revoke execute on function create_month_partitions from public;
grant execute on function create_month_partitions to holdfast_worker;
