-- Functions, generated from apps/server/src/platform/database/functions: do not edit.
-- Bodies are not checked while they are created, since each may call one that comes later.
set local check_function_bodies = off;

-- functions/books/balances/post_batch.sql
-- Many balance requests in one commit, each with its own outcome: together if all of them can be
-- done, in a few statements for the whole batch, otherwise one by one.
--
-- The settings hold for everything that is called from here. They make the planner look up each row
-- of a batch by its index, in the order of the batch: another plan would lock accounts in another
-- order, or read whole tables as long as their statistics are those of empty ones.
create or replace function books.post_batch(p_now timestamptz, p_adjustment_limit bigint,
  p_one_by_one boolean, p_requests books.posting_request[])
returns setof books.outcome
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  changes books.running_change[];
  frozen bigint[];
  history text := lineage_status();
begin
  if history not in ('OPEN', 'PROMOTED') then
    raise exception 'writes are closed: %', history using errcode = 'HF002';
  end if;
  -- Once for the batch, before anything is written: a stop that commits later waits for this one.
  if exists (select from marketplace_stop
    where lifted_at is null and level in ('MONEY', 'SIGNING')) then
    frozen := books.frozen_marketplaces(p_requests);
  end if;
  if not p_one_by_one and frozen is null then
    changes := books.plan_together(p_adjustment_limit, p_requests);
  end if;
  if changes is not null then
    return query select * from books.post_together(p_now, p_requests, changes);
  else
    return query select * from books.post_one_by_one(p_now, p_adjustment_limit, frozen, p_requests);
  end if;
end $$;
alter function books.post_batch owner to holdfast_books;
revoke execute on function books.post_batch from public;
grant execute on function books.post_batch to holdfast_api;

-- functions/public/lineage_status.sql
-- Whether this server may write, from its own name for itself: OPEN, PROMOTED or REWOUND, or
-- UNCHECKED where it is not the server of which that was last said. The log's position has the new
-- timeline as soon as a standby takes writes; the control file has it only later.
create or replace function lineage_status() returns text
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  known_timeline text;
  known_identifier text;
  known_status text;
begin
  select timeline, system_identifier, status into known_timeline, known_identifier, known_status
  from lineage order by number desc limit 1;
  if known_timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
    and known_identifier = (pg_control_system()).system_identifier::text then
    return known_status;
  end if;
  return 'UNCHECKED';
end $$;
alter function lineage_status owner to holdfast_operator;
revoke execute on function lineage_status from public;
grant execute on function lineage_status
  to holdfast_api, holdfast_worker, holdfast_operator, holdfast_books;

-- functions/public/lost_writes.sql
-- The positions of those of these writes that this database does not have: the audit record, the
-- operation, the journal entry or the Idempotency-Key under which they were stored. A number of a
-- journal entry can be another request's after a restore. What was repeated under its key meanwhile
-- is not lost. Zero owns what belongs to no marketplace.
create or replace function lost_writes(wanted text[], requests text[], scopes text[])
returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with owner as (select id from marketplace union all select 0),
  write as (
    select position::int, id, request,
      case when key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then key::uuid end as scope
    from unnest(wanted, requests, scopes) with ordinality as given (id, request, own_scope, position),
      lateral (select case when own_scope = '' then id else own_scope end as key) as keyed)
  select position from write
  where not case
    when id like 'aud\_%' then exists (
      select from owner, audit where audit.marketplace_id = owner.id and audit.id = write.id)
    when id like 'op\_%' then exists (
      select from owner, operation
      where operation.marketplace_id = owner.id and operation.id = write.id)
    when id ~ '^[0-9]{1,18}$'
      or id ~ '^[0-9]{19}$' and id <= '9223372036854775807' then exists (
      select from owner, entry
      where entry.marketplace_id = owner.id and entry.id = write.id::bigint
        and entry.correlation_id = write.request)
    else false end
  and not exists (
    select from owner, idempotency
    where idempotency.marketplace_id = owner.id and scope_hash = write.scope)
$$;
alter function lost_writes owner to holdfast_operator;
revoke execute on function lost_writes from public;
grant execute on function lost_writes to holdfast_api, holdfast_operator;

-- functions/work/lineage/durability.sql
-- What still has a write when this server is lost, which a plain role does not see: the synchronous
-- standbys that are connected, how much of the log one of them has on disk, and where the last
-- archived segment ends. `reader` is the role that looks: without pg_read_all_stats it sees none. In
-- plpgsql, since the creation of each user calls it: its plan is made once for a session.
create or replace function work.durability()
returns table (reader text, can_read boolean, sync_standbys int, flushed pg_lsn, archived pg_lsn,
  archived_at timestamptz, is_archive_failing boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query
  select current_user::text, pg_has_role('pg_read_all_stats', 'usage'), s.number::int, s.flushed,
    -- Of names such as 000000010000000A000000FF: timeline, log, segment. Nothing else that is
    -- archived, such as the first part of a segment, says that a whole one is there.
    case when a.last_archived_wal ~ '^[0-9A-F]{24}$' then '0/0'::pg_lsn
      + ('x' || substr(a.last_archived_wal, 9, 8))::bit(32)::bigint::numeric * 4294967296
      + (('x' || substr(a.last_archived_wal, 17, 8))::bit(32)::bigint + 1)::numeric
        * pg_size_bytes(current_setting('wal_segment_size')) end,
    a.last_archived_time,
    a.last_failed_time is not null
      and a.last_failed_time > coalesce(a.last_archived_time, '-infinity')
  from pg_stat_archiver a,
    (select count(*) as number, max(w.flush_lsn) as flushed from pg_stat_get_wal_senders() w
      where w.sync_state in ('sync', 'quorum')) as s;
end $$;
revoke execute on function work.durability from public;
grant execute on function work.durability to holdfast_api, holdfast_worker;

-- functions/work/lineage/is_known_number.sql
-- Whether an envelope may use this sequence number of an account: the number before it was used by
-- an envelope of ours, in any marketplace, or by none, as on a new account. A transaction that this
-- database has forgotten has used a number that no envelope here has, so it bars its account. In
-- plpgsql, whose plan is made once for a connection.
create or replace function work.is_known_number(wanted_source text, wanted_sequence numeric)
returns boolean
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return mod(wanted_sequence - 1, 4294967296) = 0 or exists (
    select from envelope where source = wanted_source and sequence = wanted_sequence - 1
      and state in ('APPLIED', 'FAILED'));
end $$;
alter function work.is_known_number owner to holdfast_operator;
revoke execute on function work.is_known_number from public;
grant execute on function work.is_known_number to holdfast_worker;

-- functions/work/lineage/newest_envelope_at.sql
-- When the newest envelope of this account was stored, in any marketplace.
create or replace function work.newest_envelope_at(wanted_source text) returns timestamptz
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select created_at from envelope where source = wanted_source order by sequence desc limit 1
$$;
alter function work.newest_envelope_at owner to holdfast_operator;
revoke execute on function work.newest_envelope_at from public;
grant execute on function work.newest_envelope_at to holdfast_worker;

-- functions/work/lineage/sending_status.sql
-- As `lineage_status`, for what leaves the books: also UNCHECKED where the server started after the
-- mark was last compared. Restored from a storage snapshot it would name itself as before.
create or replace function work.sending_status() returns text
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if (select compared_start from lineage order by number desc limit 1) = pg_postmaster_start_time() then
    return lineage_status();
  end if;
  return 'UNCHECKED';
end $$;
alter function work.sending_status owner to holdfast_operator;
revoke execute on function work.sending_status from public;
grant execute on function work.sending_status to holdfast_worker;

-- functions/work/marketplace_of_user.sql
-- The marketplace of a user that a forgotten payment names. By the wallet, which every user has.
create or replace function work.marketplace_of_user(wanted_user text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m
  where exists (select from wallet w where w.marketplace_id = m.id and w.user_id = wanted_user)
$$;
alter function work.marketplace_of_user owner to holdfast_operator;
revoke execute on function work.marketplace_of_user from public;
grant execute on function work.marketplace_of_user to holdfast_worker;

-- functions/work/metric_readings.sql
-- The state of all marketplaces together, for the metrics that one worker exposes. Each part reads
-- an index of open items only.
create or replace function work.metric_readings(at timestamptz)
returns table (metric text, labels jsonb, value double precision)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with opened as (
    select o.marketplace_id, o.id, o.kind, o.status from open_operation w
    join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id
  ), newest as (
    select taken_at, status, groups from solvency_reading order by id desc limit 1
  ), held as (
    select g ->> 'asset' as asset, g -> 'assets' as assets, g -> 'sums' as sums
    from newest, json_array_elements(newest.groups) as g
  )
  select 'holdfast_operations', jsonb_build_object('kind', kind, 'state', status), count(*)
    from opened group by kind, status
  union all
  select 'holdfast_operation_unknown_oldest_seconds', '{}',
    greatest(0, coalesce(extract(epoch from at - min(s.started_at)), 0))
    from opened o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
      and s.status = 'CLAIMED' and s.provider is not null
  union all
  select 'holdfast_inbox_oldest_seconds', '{}',
    greatest(0, coalesce(extract(epoch from at - min(received_at)), 0))
    from inbox where status = 'PENDING'
  union all
  select 'holdfast_exceptions_open', jsonb_build_object('cause', cause), count(*)
    from reconciliation_exception where status = 'OPEN' group by cause
  union all
  select 'holdfast_lineage_closed', jsonb_build_object('status', status),
    (lineage_status() = status)::int
    from unnest(array['PROMOTED', 'REWOUND', 'UNCHECKED']) as status
  union all
  select 'holdfast_solvency_breach', '{}', (status = 'BREACH')::int from newest
  union all
  select 'holdfast_solvency_taken_timestamp_seconds', '{}', extract(epoch from taken_at) from newest
  union all
  select 'holdfast_treasury_usdc', '{}', (assets ->> 'treasury')::numeric / 10000000
    from held where asset = 'USDC'
  union all
  select 'holdfast_treasury_xlm_spendable', '{}', (sums ->> 'spendable')::numeric / 10000000
    from held where asset = 'XLM' and sums ->> 'spendable' is not null
  union all
  select 'holdfast_provider_float_usd', '{}', (assets ->> 'paymentProvider')::numeric / 10000000
    from held where asset = 'USDC'
$$;
alter function work.metric_readings owner to holdfast_operator;
revoke execute on function work.metric_readings from public;
grant execute on function work.metric_readings to holdfast_worker;

-- functions/work/wallets/count_ready_wallets.sql
-- The number of wallets that the network has.
create or replace function work.count_ready_wallets() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.status = 'READY'
$$;
alter function work.count_ready_wallets owner to holdfast_operator;
revoke execute on function work.count_ready_wallets from public;
grant execute on function work.count_ready_wallets to holdfast_worker;

-- functions/work/wallets/count_wallets_since.sql
-- The number of wallets that users got since then, over all marketplaces.
create or replace function work.count_wallets_since(since timestamptz) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.created_at > since
$$;
alter function work.count_wallets_since owner to holdfast_operator;
revoke execute on function work.count_wallets_since from public;
grant execute on function work.count_wallets_since to holdfast_worker;

-- functions/work/wallets/wallets_after.sql
-- The next addresses of the walk through all addresses.
create or replace function work.wallets_after(last_address text, at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w
  where w.address > last_address and w.status = 'READY' order by w.address limit at_most
$$;
alter function work.wallets_after owner to holdfast_operator;
revoke execute on function work.wallets_after from public;
grant execute on function work.wallets_after to holdfast_worker;

-- functions/work/wallets/wallets_at.sql
-- The users that these addresses belong to.
create or replace function work.wallets_at(addresses text[])
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w where w.address = any (addresses)
$$;
alter function work.wallets_at owner to holdfast_operator;
revoke execute on function work.wallets_at from public;
grant execute on function work.wallets_at to holdfast_api, holdfast_worker;

-- functions/work/wallets/wallets_to_create.sql
-- Wallets that are not ready, oldest first.
create or replace function work.wallets_to_create(at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, m.public_id, w.id
  from wallet w join marketplace m on m.id = w.marketplace_id
  where w.status <> 'READY' order by w.created_at limit at_most
$$;
alter function work.wallets_to_create owner to holdfast_operator;
revoke execute on function work.wallets_to_create from public;
grant execute on function work.wallets_to_create to holdfast_worker;

-- functions/work/wallets/wallets_with_shortfall.sql
-- Addresses that were found to lack something.
create or replace function work.wallets_with_shortfall(at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct w.marketplace_id, w.user_id, w.address from address_shortfall s
  join wallet w on w.marketplace_id = s.marketplace_id and w.user_id = s.user_id limit at_most
$$;
alter function work.wallets_with_shortfall owner to holdfast_operator;
revoke execute on function work.wallets_with_shortfall from public;
grant execute on function work.wallets_with_shortfall to holdfast_worker;

set local check_function_bodies = on;
