-- The withdrawal, which must belong to the transaction's marketplace.
create or replace function books.find_withdrawal(p_withdrawal text) returns withdrawal
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal;
begin
  select * into withdrawal_row from withdrawal
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_withdrawal;
  if not found then raise exception 'withdrawal % is not of this marketplace', p_withdrawal; end if;
  return withdrawal_row;
end $$;
alter function books.find_withdrawal owner to holdfast_books;
revoke execute on function books.find_withdrawal from public;
