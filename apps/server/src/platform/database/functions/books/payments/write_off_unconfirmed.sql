-- Leaves a user money that the provider's record has not confirmed, and lifts its lien: the
-- marketplace bears it, against suspense. The exception about it was just resolved by two people.
create or replace function books.write_off_unconfirmed(p_now timestamptz, p_exception text,
  p_actor text, p_correlation text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  exception_row reconciliation_exception;
  confirmed bigint;
begin
  select * into exception_row from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception;
  if (exception_row.status, exception_row.cause, exception_row.action)
    is distinct from ('RESOLVED', 'MONEY_UNCONFIRMED', 'WRITE_OFF') then
    raise exception 'exception % is not there to be written off', p_exception;
  end if;
  confirmed := books.confirm_money(p_now, exception_row.resource_id, p_actor, p_correlation);
  if confirmed * 100000 is distinct from -exception_row.stroops then
    raise exception 'exception % is about another amount than %', p_exception, confirmed;
  end if;
  perform books.post_entry(p_now, exception_row.marketplace_id, 'exception_write_off',
    books.house_account(p_now, 'provider_fees', exception_row.currency), 'available',
    books.house_account(p_now, 'suspense', exception_row.currency), 'available',
    confirmed, exception_row.id, p_actor, p_correlation, null, exception_row.reason);
end $$;
alter function books.write_off_unconfirmed owner to holdfast_books;
revoke execute on function books.write_off_unconfirmed from public;
grant execute on function books.write_off_unconfirmed to holdfast_api;
