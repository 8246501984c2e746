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
