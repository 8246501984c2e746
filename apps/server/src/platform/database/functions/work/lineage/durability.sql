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
