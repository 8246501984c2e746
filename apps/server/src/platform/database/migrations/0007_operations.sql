-- Operations: durable units of provider work. These rows are the whole record of how far one got:
-- any process may be lost at any time, and the next attempt continues from here.
create table operation (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  kind text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  -- RUNNING: in work. ESCALATED: needs an operator's attention; attempts continue. DONE and REFUSED
  -- are final.
  status text not null,
  -- Fencing: only the newest attempt of the newest epoch may write. The sweeper increments the
  -- epoch, every attempt increments `attempts`; an attempt that was overtaken finds no row to write
  -- to.
  epoch int not null,
  attempts int not null,
  -- Once true, the operation is only completed, never undone.
  has_moved_money boolean not null,
  plan json not null,
  result json,
  refusal_code text,
  refusal_details json,
  -- The earliest next attempt, and the last sign of life: the sweeper takes operations that are due
  -- and silent.
  next_try_at timestamptz not null,
  heartbeat_at timestamptz not null,
  escalated_at timestamptz,
  actor_id text not null,
  correlation_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint operation_status_check check (status in ('RUNNING', 'DONE', 'REFUSED', 'ESCALATED')),
  constraint operation_epoch_check check (epoch > 0 and attempts >= 0),
  constraint operation_refusal_check check (
    (status = 'REFUSED') = (refusal_code is not null)
    and (refusal_code is null) = (refusal_details is null)),
  -- Money that has moved is never taken back.
  constraint operation_no_undo_check check (not (status = 'REFUSED' and has_moved_money)),
  constraint operation_escalated_check check (status <> 'ESCALATED' or escalated_at is not null)
) with (fillfactor = 50);
-- The timeline of an order reads everything about it. Only readers use this index, and it is not
-- led by the marketplace, so that no serializable transaction reads it by accident.
create index operation_resource_idx on operation (resource_id, id);
-- No other index, and room on its pages: an update writes to no index page, so serializable
-- transactions that touch neighbouring rows do not collide there.
call guard_tenant_table('operation');
create policy operator on operation for select to holdfast_operator using (true);
grant select, insert, update (status, epoch, heartbeat_at, next_try_at, result, refusal_code,
  refusal_details, updated_at) on operation to holdfast_api;
grant select, insert, update on operation to holdfast_worker;
grant select on operation to holdfast_operator;

-- The operations that have not ended: at most one for a resource.
create table open_operation (
  marketplace_id bigint not null,
  resource_id text collate "C" not null,
  operation_id text collate "C" not null,
  constraint open_operation_pkey primary key (marketplace_id, resource_id)
);
call guard_tenant_table('open_operation');
create policy operator on open_operation for select to holdfast_operator using (true);
grant select, insert, delete on open_operation to holdfast_api, holdfast_worker;
grant select on open_operation to holdfast_operator;

-- Steps. CLAIMED: started, perhaps done at the provider. DONE and REFUSED hold the provider's
-- reply, or what a transaction of the operation returned: a second run gets it instead of running
-- again.
create table operation_step (
  marketplace_id bigint not null,
  operation_id text collate "C" not null,
  name text collate "C" not null,
  -- Of the attempt that claimed it.
  epoch int not null,
  status text not null,
  result json,
  -- The purpose of its envelope, where it has one.
  purpose text collate "C",
  -- The provider that it calls. None: it is a transaction of ours, or waits for another operation.
  provider text,
  -- Once it is done, money has moved outside the books.
  moves_money boolean not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, operation_id, name),
  constraint operation_step_status_check check (status in ('CLAIMED', 'DONE', 'REFUSED')),
  constraint operation_step_provider_check check (
    provider in ('escrow_provider', 'payment_provider', 'ledger_network')),
  constraint operation_step_money_check check (provider is not null or not moves_money),
  constraint operation_step_ended_check check ((status = 'CLAIMED') = (ended_at is null))
) with (fillfactor = 70);
call guard_tenant_table('operation_step');
create policy solvency on operation_step for select to holdfast_operator using (true);
grant select on operation_step to holdfast_api;
grant select, insert, update on operation_step to holdfast_worker;
grant select on operation_step to holdfast_operator;
