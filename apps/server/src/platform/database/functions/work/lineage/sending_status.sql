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
