-- What every change leaves behind, in its own transaction.

-- Events on their way to the log. A balance event points at the journal entry it reports, which
-- holds all its figures; every other event carries its payload. Ids are handed out before commit,
-- so they order nothing: the sequencer gives events their place after commit.
create table outbox (
  id bigint generated always as identity primary key,
  marketplace_id bigint not null,
  event_type text not null,
  aggregate_id text not null,
  entry_id bigint,
  payload jsonb,
  actor_id text not null,
  correlation_id text not null,
  constraint outbox_content_check check ((entry_id is null) <> (payload is null))
);
call guard_tenant_table('outbox');
create policy books on outbox for insert to holdfast_books with check (true);
create policy operator on outbox for insert to holdfast_operator with check (true);
grant select, insert on outbox to holdfast_app;
grant insert on outbox to holdfast_books, holdfast_operator;

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
