-- What every change leaves behind, in its own transaction.

-- What waits for its place: events on their way to the log, audit rows on their way into the chain.
-- A balance event points at the journal entry it reports, which holds all its figures; every other
-- event carries its payload. Ids are handed out before commit, so they order nothing by themselves:
-- the sequencer takes what it can see, after commit, and gives it its place.
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
  constraint outbox_content_check check (
    case when event_type is null then audit_id is not null and num_nonnulls(aggregate_id, entry_id, payload) = 0
    else aggregate_id is not null and num_nonnulls(entry_id, payload) = 1 end)
) with (
  -- A queue lives by its dead rows being cleared at once, not when a fifth of it is dead.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 100000);
call guard_tenant_table('outbox');
create policy books on outbox for insert to holdfast_books with check (true);
create policy operator on outbox for insert to holdfast_operator with check (true);
create policy sequencer on outbox to holdfast_sequencer using (true) with check (false);
grant select, insert on outbox to holdfast_app;
grant insert on outbox to holdfast_books, holdfast_operator;
grant select, delete on outbox to holdfast_sequencer;

-- The log of a marketplace: gap-free positions, strictly increasing times. The time is the cursor
-- that readers hold, so a range of cursors is a range of time and months can be partitions.
create table event (
  marketplace_id bigint not null,
  position bigint not null,
  occurred_at timestamptz not null,
  id text collate "C" not null,
  event_type text not null,
  aggregate_id text not null,
  entry_id bigint,
  -- The payload as it goes out, byte for byte.
  payload json not null,
  actor_id text not null,
  correlation_id text not null,
  primary key (marketplace_id, occurred_at),
  constraint event_position_check check (position > 0)
) partition by range (occurred_at);
call guard_tenant_table('event');
create policy sequencer on event to holdfast_sequencer using (true) with check (true);
grant select on event to holdfast_app;
grant select, insert on event to holdfast_sequencer;

-- Where a marketplace's log and audit chain end: the next event and the next link go on from here.
create table event_head (
  marketplace_id bigint primary key,
  position bigint not null,
  occurred_at timestamptz not null,
  chain_position bigint not null,
  chain_hash bytea not null
) with (fillfactor = 50);
call guard_tenant_table('event_head');
create policy sequencer on event_head to holdfast_sequencer using (true) with check (true);
grant select on event_head to holdfast_app;
grant select, insert, update on event_head to holdfast_sequencer;

-- Who did what. Append-only: nobody below the owner can change or delete a row. Ids begin with
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
  primary key (marketplace_id, id),
  constraint audit_result_check check (result in ('SUCCESS', 'FAILURE')),
  constraint audit_actor_type_check check (actor_type in ('API_KEY', 'MASTER_KEY', 'MEMBER', 'SYSTEM', 'PROVIDER'))
) partition by range (id);
call guard_tenant_table('audit');
create policy books on audit to holdfast_books using (true) with check (true);
create policy operator on audit for insert to holdfast_operator with check (true);
grant select, insert on audit to holdfast_app;
grant insert on audit to holdfast_operator;
grant select, insert on audit to holdfast_books;
create policy sequencer on audit for select to holdfast_sequencer using (true);
grant select on audit to holdfast_sequencer;
-- Support asks for everything about one resource.
create index audit_resource_idx on audit (marketplace_id, resource_id, id);

-- The chain over the audit rows of a marketplace, in the order they were given their place: each
-- hash covers the one before it and the row, with the journal entry it points at. Insert-only, so
-- that whoever rewrites an audit row must also rewrite every hash after it, here and outside.
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
grant select on audit_link to holdfast_app;
grant select, insert on audit_link to holdfast_sequencer;

-- One row per Idempotency-Key that did something. `scope_hash` covers key family, method, path and
-- key; `request_hash` the body. The answer is rebuilt from the entry or the refusal, or kept whole.
create table idempotency (
  marketplace_id bigint not null,
  scope_hash uuid not null,
  request_hash uuid not null,
  created_at timestamptz not null,
  entry_id bigint,
  refusal text,
  refusal_have bigint,
  refusal_reason text,
  status smallint,
  response text,
  primary key (marketplace_id, scope_hash),
  constraint idempotency_answer_check check (num_nonnulls(entry_id, refusal, response) = 1)
) with (fillfactor = 90);
create index idempotency_created_at_idx on idempotency using brin (created_at);
call guard_tenant_table('idempotency');
create policy books on idempotency to holdfast_books using (true) with check (true);
create policy operator on idempotency to holdfast_operator using (true) with check (true);
grant select, insert on idempotency to holdfast_app, holdfast_operator;
grant select, insert, delete on idempotency to holdfast_books;
