-- Purges idempotency keys older than a time, a limited number per call.
create or replace function books.purge_idempotency(older_than timestamptz, at_most int)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deleted_count bigint;
begin
  delete from idempotency where ctid = any (array(
    select ctid from idempotency where created_at < older_than limit at_most));
  get diagnostics deleted_count = row_count;
  return deleted_count;
end $$;
alter function books.purge_idempotency owner to holdfast_books;
revoke execute on function books.purge_idempotency from public;
grant execute on function books.purge_idempotency to holdfast_worker;
