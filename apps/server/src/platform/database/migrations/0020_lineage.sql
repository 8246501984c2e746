-- The histories of this database. A restore, a copy and a failover each start another one, in which
-- the last writes of the one before may be missing. The row with the highest number is the present
-- one; a worker adds the next when it finds that the server is not the one that the row names.
create table lineage (
  number int primary key,
  -- Of the server, as it names itself: `pg_control_system()`, and the first eight digits of the name
  -- of a file of its log.
  system_identifier text not null,
  timeline text not null,
  -- OPEN: nothing is missing that could be sent again. PROMOTED: a standby took over. REWOUND: it
  -- was set back. These two are closed until the recovery has found what was forgotten.
  status text not null,
  reason text not null,
  -- Writes since then may be missing.
  lost_from timestamptz,
  checked_at timestamptz not null,
  opened_at timestamptz,
  -- When the server started for which the mark was last compared: a storage snapshot goes back
  -- without another timeline, but not without a start.
  compared_start timestamptz,
  -- A platform admin's request to open it, which another one has to confirm.
  open_requested_by text collate "C",
  open_requested_at timestamptz,
  open_reason text,
  constraint lineage_status_check check (status in ('OPEN', 'PROMOTED', 'REWOUND'))
);
grant select on lineage to holdfast_api, holdfast_worker, holdfast_operator, holdfast_auditor;
grant insert, update (status, reason, opened_at, compared_start) on lineage to holdfast_worker;
grant update (status, reason, opened_at, open_requested_by, open_requested_at, open_reason) on lineage
  to holdfast_operator;

-- Counts up once a second, here first and then in Restate. Where Restate has a higher number, this
-- database has forgotten something. A row of its own, since it changes so often.
create table lineage_mark (
  is_only boolean primary key default true,
  mark bigint not null,
  marked_at timestamptz not null,
  constraint lineage_mark_only_check check (is_only)
);
grant select, update (mark, marked_at) on lineage_mark to holdfast_worker;

-- A deployment that is migrated is what it was before.
insert into lineage
  (number, system_identifier, timeline, status, reason, checked_at, opened_at, compared_start)
select 1, system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), 'OPEN',
  'the first history of this database', now(), now(), pg_postmaster_start_time()
from pg_control_system();
insert into lineage_mark (mark, marked_at) values (0, now());
