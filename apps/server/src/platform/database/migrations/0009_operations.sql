-- Operations: durable pieces of provider work. These rows are the whole record of how far one got;
-- what drives them may be lost at any time, and another drive goes on from here.
create table operation (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  kind text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  -- RUNNING: being driven. ESCALATED: an operator should look; it is driven on. DONE and REFUSED are final.
  status text not null,
  -- Who may write: the newest drive of the newest epoch. The sweeper raises the epoch, every drive
  -- counts itself in attempts; a drive that slept through either finds no row to write to.
  epoch int not null,
  attempts int not null,
  -- Once true the operation only goes forward.
  has_moved_money boolean not null,
  plan json not null,
  result json,
  refusal_code text,
  refusal_details json,
  -- Not before this time, and a sign of life: the sweeper takes what is due and silent.
  next_try_at timestamptz not null,
  heartbeat_at timestamptz not null,
  raised_at timestamptz,
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
  -- What moved money is never taken back.
  constraint operation_forward_check check (not (status = 'REFUSED' and has_moved_money)),
  constraint operation_raised_check check (status <> 'ESCALATED' or raised_at is not null)
) with (fillfactor = 50);
-- No index but its key, and room on its pages: no later change of a row writes to an index page, so
-- serializable transactions that touch neighbours do not collide there.
call guard_tenant_table('operation');
grant select, insert, update on operation to holdfast_app;

-- The operations that have not ended: at most one for a resource.
create table operation_open (
  marketplace_id bigint not null,
  resource_id text collate "C" not null,
  operation_id text collate "C" not null,
  constraint operation_open_key primary key (marketplace_id, resource_id)
);
call guard_tenant_table('operation_open');
grant select, insert, delete on operation_open to holdfast_app;

-- Steps. CLAIMED: begun, perhaps done outside. DONE and REFUSED hold the provider's answer, or
-- what a transaction of the operation returned: a second run gets it instead of running again.
create table operation_step (
  marketplace_id bigint not null,
  operation_id text collate "C" not null,
  name text collate "C" not null,
  -- Of the drive that claimed it.
  epoch int not null,
  status text not null,
  result json,
  -- Names its envelope, where it has one.
  purpose text collate "C",
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, operation_id, name),
  constraint operation_step_status_check check (status in ('CLAIMED', 'DONE', 'REFUSED')),
  constraint operation_step_ended_check check ((status = 'CLAIMED') = (ended_at is null))
) with (fillfactor = 70);
call guard_tenant_table('operation_step');
grant select, insert, update on operation_step to holdfast_app;

-- Operations that are due and have been silent since a time: where to look, over all marketplaces.
create policy operator on operation for select to holdfast_operator using (true);
create policy operator on operation_open for select to holdfast_operator using (true);
grant select on operation, operation_open to holdfast_operator;
create function work.operations_to_drive(at_most int, silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.marketplace_id, o.id, o.epoch from operation_open w
  join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id
  where greatest(o.next_try_at, o.heartbeat_at) <= silent_since
  order by greatest(o.next_try_at, o.heartbeat_at) limit at_most
$$;
alter function work.operations_to_drive owner to holdfast_operator;
revoke execute on function work.operations_to_drive from public;
grant execute on function work.operations_to_drive to holdfast_app;
