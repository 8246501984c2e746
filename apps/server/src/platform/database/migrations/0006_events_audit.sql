-- Written with every change, in its own transaction: events, the audit log and idempotency keys.

-- Events that wait for their position in the log, and audit rows that wait for theirs in the chain.
-- A balance event points at the journal entry it reports, which holds all its figures; every other
-- event carries its payload. Ids are handed out before commit, so they order nothing by themselves:
-- the sequencer reads committed rows and gives them their positions.
create table outbox (
  id bigint generated always as identity primary key,
  marketplace_id bigint not null,
  event_type text,
  aggregate_id text,
  entry_id bigint,
  payload json,
  audit_id text collate "C",
  actor_id text not null,
  correlation_id text not null,
  -- The user that the event is about, where the aggregate is not that user.
  user_id text,
  -- What the transaction was started by, as it was bound: an operation or a notification.
  causation_id text default nullif(current_setting('app.causation_id', true), ''),
  constraint outbox_content_check check (
    case when event_type is null
      then audit_id is not null and num_nonnulls(aggregate_id, entry_id, payload) = 0
    else aggregate_id is not null and num_nonnulls(entry_id, payload) = 1 end)
) with (
  -- Dead rows of a queue must be cleared at once, not when a fifth of the table is dead.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 100000);
call guard_tenant_table('outbox');
create policy books on outbox for insert to holdfast_books with check (true);
create policy operator on outbox for insert to holdfast_operator with check (true);
create policy sequencer on outbox to holdfast_sequencer using (true) with check (false);
grant select, insert on outbox to holdfast_api;
grant insert on outbox to holdfast_worker;
grant insert on outbox to holdfast_operator, holdfast_books;
grant select, delete on outbox to holdfast_sequencer;

-- The event log of a marketplace: positions without gaps, strictly increasing times. Readers hold
-- the time as their cursor, so a range of cursors is a range of time and months can be partitions.
create table event (
  marketplace_id bigint not null,
  position bigint not null,
  occurred_at timestamptz not null,
  id text collate "C" not null,
  event_type text not null,
  aggregate_id text not null,
  entry_id bigint,
  -- The payload as it is sent, byte for byte.
  payload json not null,
  actor_id text not null,
  correlation_id text not null,
  user_id text,
  causation_id text,
  primary key (marketplace_id, occurred_at),
  constraint event_position_check check (position > 0)
) partition by range (occurred_at);
call guard_tenant_table('event');
create policy sequencer on event to holdfast_sequencer using (true) with check (true);
grant select on event to holdfast_api, holdfast_worker;
grant select, insert on event to holdfast_sequencer;

create table event_default partition of event default;
call finish_partition('event', 'event_default');

-- The end of a marketplace's event log and audit chain: the next event and the next link continue
-- from here.
create table event_head (
  marketplace_id bigint primary key,
  position bigint not null,
  occurred_at timestamptz not null,
  chain_position bigint not null,
  chain_hash bytea not null
) with (fillfactor = 50);
call guard_tenant_table('event_head');
create policy sequencer on event_head to holdfast_sequencer using (true) with check (true);
create policy operator on event_head for select to holdfast_operator using (true);
grant select on event_head to holdfast_api, holdfast_worker, holdfast_operator;
grant select, insert, update on event_head to holdfast_sequencer;

-- Who did what. Append-only: no role of the service can change or delete a row. Ids start with
-- their time, so a range of ids is a range of time and months can be partitions.
create table audit (
  marketplace_id bigint not null,
  id text collate "C" not null,
  occurred_at timestamptz not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  actor_type text not null,
  actor_id text not null,
  result text not null,
  reason text,
  correlation_id text not null,
  before jsonb,
  after jsonb,
  -- A change of a balance is described by its journal entry; it is not written twice.
  entry_id bigint,
  -- Where the request came from, as its transaction was bound; null for work that no request waits
  -- for. With either of them the content of the row's link has a second list.
  address text default nullif(current_setting('app.address', true), ''),
  user_agent text default nullif(current_setting('app.user_agent', true), ''),
  primary key (marketplace_id, id),
  constraint audit_result_check check (result in ('SUCCESS', 'FAILURE')),
  constraint audit_actor_type_check check (
    actor_type in ('API_KEY', 'MASTER_KEY', 'MEMBER', 'OPERATOR', 'SYSTEM', 'PROVIDER'))
) partition by range (id);
-- Support reads everything about one resource.
create index audit_resource_idx on audit (marketplace_id, resource_id, id);
call guard_tenant_table('audit');
create policy books on audit to holdfast_books using (true) with check (true);
create policy operator on audit for insert to holdfast_operator with check (true);
create policy sequencer on audit for select to holdfast_sequencer using (true);
-- access.operator_names finds operators who had a role in a marketplace.
create policy operator_read on audit for select to holdfast_operator using (true);
grant select, insert on audit to holdfast_api, holdfast_books;
grant insert on audit to holdfast_worker;
grant insert, select (marketplace_id, resource_id, action) on audit to holdfast_operator;
grant select on audit to holdfast_sequencer;

create table audit_default partition of audit default;
call finish_partition('audit', 'audit_default');

-- The hash chain over the audit rows of a marketplace, in the order of their positions: each hash
-- covers the one before it and the row, with the journal entry it points at. Insert-only: to
-- rewrite an audit row, every hash after it must be rewritten too, here and in the copies outside.
create table audit_link (
  marketplace_id bigint not null,
  position bigint not null,
  audit_id text collate "C" not null,
  hash bytea not null,
  -- Each row is linked once.
  primary key (marketplace_id, audit_id),
  constraint audit_link_hash_check check (octet_length(hash) = 32)
) partition by range (audit_id);
call guard_tenant_table('audit_link');
create policy sequencer on audit_link to holdfast_sequencer using (true) with check (true);
-- work.audit_links reads every chain for the archive.
create policy operator on audit_link for select to holdfast_operator using (true);
grant select on audit_link to holdfast_operator;
grant select, insert on audit_link to holdfast_sequencer;

create table audit_link_default partition of audit_link default;
call finish_partition('audit_link', 'audit_link_default');

-- The months of journal, event log and audit until a worker creates more.
select create_month_partitions(3);

-- One row per Idempotency-Key that had an effect. `scope_hash` covers key family, method, path and
-- key; `request_hash` the body. The response is rebuilt from the entry or the refusal, or stored
-- whole.
create table idempotency (
  marketplace_id bigint not null,
  scope_hash uuid not null,
  request_hash uuid not null,
  created_at timestamptz not null,
  entry_id bigint,
  refusal text,
  refusal_available bigint,
  refusal_reason text,
  status smallint,
  response text,
  -- The operation that will give the response, while it has none.
  operation_id text collate "C",
  primary key (marketplace_id, scope_hash),
  constraint idempotency_result_check check (
    num_nonnulls(entry_id, refusal, response, operation_id) = 1)
) with (fillfactor = 90);
create index idempotency_created_at_idx on idempotency using brin (created_at);
call guard_tenant_table('idempotency');
create policy books on idempotency to holdfast_books using (true) with check (true);
create policy operator on idempotency to holdfast_operator using (true) with check (true);
-- A key that started an operation is bound to it, and stores the operation's response once there is
-- one.
grant select, insert, update (status, response, operation_id) on idempotency to holdfast_api;
grant select, insert, update (status, response) on idempotency to holdfast_operator;
grant select, insert, delete on idempotency to holdfast_books;
