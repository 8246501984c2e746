-- Webhooks: received from providers, and sent to marketplaces.

-- Webhooks from providers: stored before they are acknowledged, each event once and for ever,
-- applied afterwards. There is no other queue: after any crash the row is tried again.
create table inbox (
  -- Ours: a provider's event id may hold any character.
  id text collate "C" not null default new_id('inb', clock_timestamp()),
  provider text not null,
  provider_event_id text collate "C" not null,
  -- Null until the owner is known: a provider names a contract or an order, not a marketplace.
  marketplace_id bigint,
  -- The order, top-up or withdrawal it is about, once that is known.
  resource_id text collate "C",
  event_type text not null,
  -- As received, byte for byte: the signature covers it.
  body text not null,
  received_at timestamptz not null,
  -- Of the request that brought it; its changes are written under the same.
  correlation_id text not null,
  -- PENDING: tried again when due. APPLIED: it changed something. SUPERSEDED: the change was
  -- already made. PARKED: it matches nothing and needs an operator.
  status text not null,
  attempts int not null,
  next_try_at timestamptz not null,
  applied_at timestamptz,
  last_error text,
  -- How often the same event id came with another body. The first one counts.
  contradictions int not null default 0,
  -- Not led by the marketplace: an event id is unique at its provider.
  constraint inbox_pkey primary key (provider, provider_event_id),
  constraint inbox_provider_check check (provider in ('escrow-provider', 'payment-provider')),
  constraint inbox_status_check check (status in ('PENDING', 'APPLIED', 'SUPERSEDED', 'PARKED')),
  constraint inbox_match_check check ((marketplace_id is null) = (resource_id is null)),
  constraint inbox_applied_check
    check ((status in ('APPLIED', 'SUPERSEDED')) = (applied_at is not null)),
  constraint inbox_applied_owner_check check (applied_at is null or marketplace_id is not null),
  constraint inbox_attempts_check check (attempts >= 0 and contradictions >= 0)
) with (fillfactor = 70);
create unique index inbox_id_key on inbox (id);
create index inbox_pending_idx on inbox (next_try_at) where status = 'PENDING';
create index inbox_resource_idx on inbox (resource_id, received_at);
-- Those without a marketplace are under null.
create index inbox_list_idx on inbox (marketplace_id, id);
create index inbox_parked_idx on inbox (marketplace_id, id) where status = 'PARKED';
call guard_tenant_table('inbox');
-- An event without a marketplace is visible to the service in every transaction; once it has one,
-- it belongs to that marketplace and never changes hands.
create policy unmatched on inbox to holdfast_api, holdfast_worker
  using (marketplace_id is null) with check (marketplace_id is null);
create policy operator on inbox to holdfast_operator using (true) with check (true);
grant select, insert, update (marketplace_id, resource_id, status, attempts, next_try_at,
  applied_at, last_error) on inbox to holdfast_api;
grant select, update (marketplace_id, resource_id, status, attempts, next_try_at, applied_at,
  last_error) on inbox to holdfast_worker;
-- Events without a marketplace are run again by the platform's operators.
grant select, update (contradictions, status, attempts, next_try_at, last_error)
  on inbox to holdfast_operator;

-- Outgoing webhooks: where a marketplace's events are sent, how far each endpoint's delivery has
-- got, and the result of each attempt. An event writes nothing here: deliveries read the event log
-- by position, as every other reader does.
create table webhook_endpoint (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  url text not null,
  description text,
  -- Patterns of event types, as they were given.
  types text[] not null,
  status text not null,
  -- The sealed secret that signs; and the previous one, which also signs until a time.
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
  -- A disabled endpoint has no secret.
  constraint webhook_endpoint_secret_check check ((status = 'DISABLED') = (secret is null)),
  constraint webhook_endpoint_old_secret_check
    check ((old_secret is null) = (old_secret_until is null))
) with (fillfactor = 70);
call guard_tenant_table('webhook_endpoint');
create policy operator on webhook_endpoint for select to holdfast_operator using (true);
grant select, insert, update on webhook_endpoint to holdfast_api;
grant select, update (status, pause_reason, paused_at, secret, old_secret, old_secret_until,
  updated_at) on webhook_endpoint to holdfast_worker;
grant select on webhook_endpoint to holdfast_operator;

-- A lane is one pass over the event log for one endpoint, in order. Every endpoint has its LIVE
-- lane, which has the endpoint's id and never ends; a REPLAY sends a range of the log once more,
-- and a TEST sends one message that is in no log. Lanes of one endpoint do not wait for each other.
create table webhook_lane (
  marketplace_id bigint not null,
  id text collate "C" not null,
  endpoint_id text collate "C" not null,
  kind text not null,
  status text not null,
  -- The position of the last event that was delivered, or that the endpoint does not subscribe to.
  position bigint not null,
  occurred_at timestamptz not null,
  -- The last position of this pass; null where it continues with the log.
  end_position bigint,
  test_event_id text collate "C",
  -- Fencing: only the newest lease of the newest epoch may write. A take-over increments the epoch,
  -- every lease increments `lease_no`; a worker that was overtaken finds no row to write to.
  epoch int not null,
  lease_no int not null,
  is_leased boolean not null,
  -- The earliest next try, and the last sign of life of the worker that holds the lease.
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
  constraint webhook_lane_until_check check ((kind = 'REPLAY') = (end_position is not null)),
  constraint webhook_lane_test_check check ((kind = 'TEST') = (test_event_id is not null)),
  constraint webhook_lane_epoch_check check (epoch > 0 and lease_no >= 0 and failures >= 0),
  constraint webhook_lane_failing_check check ((failures > 0) = (failing_since is not null))
) with (fillfactor = 50);
-- No column in it changes during a delivery: moving a cursor writes to no index.
create index webhook_lane_open_idx on webhook_lane (marketplace_id, endpoint_id)
  where status = 'OPEN';
call guard_tenant_table('webhook_lane');
create policy operator on webhook_lane for select to holdfast_operator using (true);
grant select, insert, update (status, epoch, is_leased, failures, failing_since, next_try_at) on
  webhook_lane to holdfast_api;
grant select, update on webhook_lane to holdfast_worker;
grant select on webhook_lane to holdfast_operator;

-- Messages that were sent, with the last attempts of each.
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
  -- Time, status, latency, response and reason of each attempt; the oldest are dropped.
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
create policy operator on webhook_delivery to holdfast_operator using (true) with check (true);
grant select on webhook_delivery to holdfast_api;
grant select, insert, update on webhook_delivery to holdfast_worker;
grant select, delete on webhook_delivery to holdfast_operator;
