-- The requests of the last days, for people who ask what a caller did. Written in batches and off
-- the request's path; a day is a partition, and goes as a whole. It proves nothing: the audit does.
create table request_log (
  marketplace_id bigint not null,
  -- Begins with the time, so a range of ids is a range of time and days can be partitions.
  id text collate "C" not null,
  happened_at timestamptz not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  latency_ms int not null,
  actor_id text not null,
  request_id text not null,
  idempotency_key text,
  is_replay boolean not null,
  error_code text,
  primary key (marketplace_id, id)
) partition by range (id);
call guard_tenant_table('request_log');
grant select on request_log to holdfast_app;
create index request_log_error_idx on request_log (marketplace_id, id) where status >= 400;
create index request_log_actor_idx on request_log (actor_id, id);
create index request_log_request_idx on request_log (request_id, id);
create index request_log_key_idx on request_log (idempotency_key, id)
  where idempotency_key is not null;
create table request_log_elsewhen partition of request_log default;
alter table request_log_elsewhen enable row level security;
alter table request_log_elsewhen force row level security;

-- One batch of many marketplaces: a process hands over what it answered.
create policy operator on request_log for insert to holdfast_operator with check (true);
grant insert on request_log to holdfast_operator;
create function work.log_requests(lines json) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into request_log (marketplace_id, id, happened_at, method, route, path, status, latency_ms,
    actor_id, request_id, idempotency_key, is_replay, error_code)
  select * from json_to_recordset(lines) as line (marketplace_id bigint, id text,
    happened_at timestamptz, method text, route text, path text, status smallint, latency_ms int,
    actor_id text, request_id text, idempotency_key text, is_replay boolean, error_code text)
$$;
alter function work.log_requests owner to holdfast_operator;
revoke execute on function work.log_requests from public;
grant execute on function work.log_requests to holdfast_app;

-- Makes the days to come and drops those before the retention. Runs as the owner of the tables and
-- takes nothing but a small number, so that the worker can call it. Returns how many it dropped.
create function keep_request_log(days_kept int) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  today timestamptz := date_trunc('day', now() at time zone 'UTC') at time zone 'UTC';
  day timestamptz;
  part text;
  dropped int := 0;
begin
  if days_kept not between 1 and 90 then
    raise exception 'days_kept must lie between 1 and 90';
  end if;
  -- Two workers may come at once; the second finds the work done.
  perform pg_advisory_xact_lock(hashtext('keep_request_log'));
  for ahead in 0..2 loop
    day := today + make_interval(days => ahead);
    part := 'request_log_' || to_char(day at time zone 'UTC', 'YYYY_MM_DD');
    continue when to_regclass('public.' || part) is not null;
    begin
      execute format('create table public.%I partition of public.request_log for values from (%L) to (%L)',
        part, id_floor('req', day), id_floor('req', day + interval '1 day'));
      execute format('alter table public.%I enable row level security', part);
      execute format('alter table public.%I force row level security', part);
    exception when check_violation then
      -- Requests of this day stand in the default partition: they stay there, and are found.
      raise warning '% has rows in the default partition', part;
    end;
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.request_log'::regclass and c.relname ~ '^request_log_\d{4}_\d\d_\d\d$'
      and c.relname < 'request_log_' || to_char((today - make_interval(days => days_kept)) at time zone 'UTC', 'YYYY_MM_DD')
  loop
    execute format('drop table public.%I', part);
    dropped := dropped + 1;
  end loop;
  delete from request_log_elsewhen
  where id < id_floor('req', today - make_interval(days => days_kept));
  return dropped;
end $$;
revoke execute on function keep_request_log from public;
grant execute on function keep_request_log to holdfast_app;
select keep_request_log(7);
