-- Functions, generated from apps/server/src/platform/database/functions: do not edit.
-- Bodies are not checked while they are created, since each may call one that comes later.
set local check_function_bodies = off;

-- functions/books/balance_ceiling.sql
-- The most that an account may hold, available and reserved together, in minor units. Written here
-- only: the planner puts the number into every statement that calls this. The tables' owner calls it
-- too, for the constraint, so public may call it.
create or replace function books.balance_ceiling() returns bigint
language sql immutable parallel safe as $$
  select 100000000000000000
$$;
alter function books.balance_ceiling owner to holdfast_books;

-- functions/books/entry_id_floor.sql
-- The smallest entry id of an instant: the upper bits are milliseconds since 2026. Partition bounds
-- are computed by the tables' owner, so public may call it. UTC is named because the result then
-- depends on no setting: only so the planner puts the expression in place of each call.
create or replace function books.entry_id_floor(at timestamptz) returns bigint
language sql immutable as $$
  select greatest(0, (extract(epoch from at at time zone 'UTC') * 1000)::bigint - 1767225600000) << 22
$$;
alter function books.entry_id_floor owner to holdfast_books;

-- functions/public/create_month_partitions.sql
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

-- functions/public/finish_partition.sql
-- Finishes a partition: guarded like its parent, and one row per position in an account's history,
-- in the event log and in the audit chain. (Unique within a month: a partitioned table can promise
-- no more. The numbers are handed out under a lock; this detects a bug at once.)
create or replace procedure finish_partition(parent text, part text) language plpgsql as $$
begin
  execute format('alter table public.%I enable row level security', part);
  execute format('alter table public.%I force row level security', part);
  if parent = 'entry' then
    execute format('create unique index %I on public.%I (marketplace_id, from_account, from_seq)
      where from_seq is not null', part || '_from_seq_key', part);
    execute format('create unique index %I on public.%I (marketplace_id, to_account, to_seq)
      where to_seq is not null', part || '_to_seq_key', part);
  elsif parent in ('event', 'audit_link') then
    execute format('create unique index %I on public.%I (marketplace_id, position)',
      part || '_position_key', part);
  end if;
end $$;
revoke execute on procedure finish_partition from public;

-- functions/public/guard_tenant_table.sql
-- Forces row-level security on a tenant table: the service sees its own marketplace, by a setting
-- that must be set before the first query; the auditor sees everything.
create or replace procedure guard_tenant_table(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format($policy$create policy tenant on %s to holdfast_api, holdfast_worker
    using (marketplace_id = current_setting('app.marketplace_id')::bigint)
    with check (marketplace_id = current_setting('app.marketplace_id')::bigint)$policy$, tenant_table);
  execute format('create policy auditor on %s for select to holdfast_auditor using (true)',
    tenant_table);
  execute format('grant select on %s to holdfast_auditor', tenant_table);
end $$;
revoke execute on procedure guard_tenant_table from public;

-- functions/public/id_floor.sql
-- The smallest id of an instant: prefix, eleven characters of microseconds, sixteen zeros. The
-- kernel's idFloor is the same in TypeScript; a test compares the two.
create or replace function id_floor(prefix text, at timestamptz) returns text
language plpgsql immutable strict as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  micros bigint := greatest(0, (extract(epoch from at) * 1000000)::bigint);
  body text := '';
begin
  for place in 1..11 loop
    body := substr(alphabet, (micros % 32)::int + 1, 1) || body;
    micros := micros / 32;
  end loop;
  return prefix || '_' || body || repeat('0', 16);
end $$;

-- functions/public/maintain_request_log_partitions.sql
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

-- functions/public/new_id.sql
-- An id like the kernel's newId: prefix, eleven characters of time, sixteen random ones.
create or replace function new_id(prefix text, at timestamptz)
returns text language sql volatile as $$
  select left(id_floor(prefix, at), length(prefix) + 12) || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(chance.bytes, place) & 31) + 1, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) chance, generate_series(0, 15) as place
$$;
revoke execute on function new_id from public;
grant execute on function new_id to holdfast_books;

set local check_function_bodies = on;
