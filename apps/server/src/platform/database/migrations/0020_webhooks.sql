-- Outbound webhooks: where a marketplace's events are sent, how far each endpoint has been told, and
-- what became of each attempt. Nothing is written here when an event happens: the log is read by
-- place, as every other reader of it does.
create table webhook_endpoint (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  url text not null,
  description text,
  -- Patterns of event types, as they were given.
  types text[] not null,
  status text not null,
  -- The secret that signs, sealed; and the one before it, which signs too until a time.
  secret bytea,
  secret_key_version text,
  old_secret bytea,
  old_secret_key_version text,
  old_secret_until timestamptz,
  pause_reason text,
  paused_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint webhook_endpoint_status_check check (status in ('ACTIVE', 'PAUSED', 'DISABLED')),
  constraint webhook_endpoint_types_check check (cardinality(types) > 0),
  constraint webhook_endpoint_paused_check check ((status = 'PAUSED') = (paused_at is not null)),
  -- What is out of use keeps no secret.
  constraint webhook_endpoint_secret_check check ((status = 'DISABLED') = (secret is null)),
  constraint webhook_endpoint_old_secret_check
    check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 70);
call guard_tenant_table('webhook_endpoint');
grant select, insert, update on webhook_endpoint to holdfast_app;

-- A lane is one pass over the log for one endpoint, in order. Every endpoint has its LIVE lane, which
-- has the endpoint's id and never ends; a REPLAY goes once more over a part of the log, and a TEST
-- sends one message that is in no log. Lanes of one endpoint do not wait for each other.
create table webhook_lane (
  marketplace_id bigint not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  kind text not null,
  status text not null,
  -- Behind the last event that was delivered, or that the endpoint does not want.
  position bigint not null,
  occurred_at timestamptz not null,
  -- The last one of this pass; null where it goes on with the log.
  until_position bigint,
  test_event_id text collate "C",
  -- Who may write: the newest turn of the newest epoch. A take-over raises the epoch, every turn counts
  -- itself; a turn that slept through either finds no row to write to.
  epoch int not null,
  turn int not null,
  is_driven boolean not null,
  -- Not before this time, and a sign of life of the turn that drives it.
  next_try_at timestamptz not null,
  heartbeat_at timestamptz not null,
  failures int not null,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  correlation_id text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id),
  foreign key (marketplace_id, endpoint_id) references webhook_endpoint (marketplace_id, id),
  constraint webhook_lane_kind_check check (kind in ('LIVE', 'REPLAY', 'TEST')),
  constraint webhook_lane_status_check check (status in ('OPEN', 'DONE', 'FAILED')),
  constraint webhook_lane_live_check check ((kind = 'LIVE') = (id = endpoint_id)),
  constraint webhook_lane_until_check check ((kind = 'REPLAY') = (until_position is not null)),
  constraint webhook_lane_test_check check ((kind = 'TEST') = (test_event_id is not null)),
  constraint webhook_lane_epoch_check check (epoch > 0 and turn >= 0 and failures >= 0),
  constraint webhook_lane_failing_check check ((failures > 0) = (failing_since is not null))
) with (fillfactor = 50);
-- No column in it that a turn changes: moving a cursor writes to no index.
create index webhook_lane_open_idx on webhook_lane (marketplace_id, endpoint_id)
  where status = 'OPEN';
call guard_tenant_table('webhook_lane');
grant select, insert, update on webhook_lane to holdfast_app;

-- What was sent, with the last attempts at it.
create table webhook_delivery (
  marketplace_id bigint not null,
  endpoint_id text collate "C" not null,
  id text collate "C" not null,
  lane_id text collate "C" not null,
  kind text not null,
  event_id text collate "C" not null,
  event_type text not null,
  outcome text not null,
  attempt_count int not null,
  -- At, status, latencyMs, answer and reason of each; the oldest fall out.
  attempts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, endpoint_id, id),
  constraint webhook_delivery_event_key unique (marketplace_id, lane_id, event_id),
  constraint webhook_delivery_kind_check check (kind in ('LIVE', 'REPLAY', 'TEST')),
  constraint webhook_delivery_outcome_check check (outcome in ('PENDING', 'DELIVERED', 'FAILED')),
  constraint webhook_delivery_attempts_check check (attempt_count > 0)
) with (fillfactor = 90);
call guard_tenant_table('webhook_delivery');
grant select, insert, update on webhook_delivery to holdfast_app;

create policy operator on webhook_endpoint for select to holdfast_operator using (true);
create policy operator on webhook_lane for select to holdfast_operator using (true);
create policy operator on webhook_delivery to holdfast_operator using (true) with check (true);
grant select on webhook_endpoint, webhook_lane to holdfast_operator;
grant select, delete on webhook_delivery to holdfast_operator;

-- Lanes that somebody should drive, over all marketplaces: where to look, not what is there. One that
-- nobody drives is due as soon as there is something behind its cursor. One that is being driven, or
-- waits for its next try, is lost when it is due and has been silent since a time.
create function work.webhook_lanes_to_drive(at_most int, at timestamptz, silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int, turn int, is_lost boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.id, l.epoch, l.turn, l.is_driven or l.failures > 0
  from webhook_lane l
  join webhook_endpoint e on e.marketplace_id = l.marketplace_id and e.id = l.endpoint_id
  left join event_head h on h.marketplace_id = l.marketplace_id
  where l.status = 'OPEN' and l.next_try_at <= at
    and (e.status = 'ACTIVE' or (e.status = 'PAUSED' and l.kind = 'TEST'))
    and (l.kind <> 'LIVE' or h.position > l.position)
    and ((not l.is_driven and l.failures = 0)
      or greatest(l.next_try_at, l.heartbeat_at) <= silent_since)
  order by l.next_try_at limit at_most
$$;
alter function work.webhook_lanes_to_drive owner to holdfast_operator;
revoke execute on function work.webhook_lanes_to_drive from public;
grant execute on function work.webhook_lanes_to_drive to holdfast_app;

-- Forgets deliveries that were begun before a time, some at once. Ids begin with their time.
create function work.forget_webhook_deliveries(before timestamptz, at_most int) returns int
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with old as (
    select d.marketplace_id, d.endpoint_id, d.id from webhook_endpoint e
    join webhook_delivery d on d.marketplace_id = e.marketplace_id and d.endpoint_id = e.id
      and d.id < public.id_floor('whd', before)
    where d.outcome <> 'PENDING' limit at_most),
  gone as (
    delete from webhook_delivery d using old
    where d.marketplace_id = old.marketplace_id and d.endpoint_id = old.endpoint_id and d.id = old.id
    returning 1)
  select count(*)::int from gone
$$;
alter function work.forget_webhook_deliveries owner to holdfast_operator;
revoke execute on function work.forget_webhook_deliveries from public;
grant execute on function work.forget_webhook_deliveries to holdfast_app;
