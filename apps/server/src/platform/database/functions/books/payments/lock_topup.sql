-- The top-up, locked. It must belong to the transaction's marketplace.
create or replace function books.lock_topup(p_topup text) returns topup
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup;
begin
  select * into topup_row from topup
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_topup
  for no key update;
  if not found then raise exception 'top-up % is not of this marketplace', p_topup; end if;
  return topup_row;
end $$;
alter function books.lock_topup owner to holdfast_books;
revoke execute on function books.lock_topup from public;
