-- Writes off what a user owes, in part or whole: the marketplace bears it. Returns what is owed then;
-- null when the user owes less.
create or replace function books.write_off_debt(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_reason text, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account := books.lock_user_account(p_now, p_user, p_currency);
  debt account;
  new_entry entry;
begin
  select * into debt from account
  where marketplace_id = payer.marketplace_id and kind = 'debt' and owner_id = p_user
    and currency = p_currency
  for no key update;
  if not found or -debt.available < p_amount then return null; end if;
  new_entry := books.post_entry(p_now, payer.marketplace_id, 'debt_write_off',
    books.house_account(p_now, 'provider_fees', p_currency), 'available', debt.id, 'available',
    p_amount, p_user, p_actor, p_correlation, null, p_reason);
  perform books.emit_debt_event('user.debt_written_off', p_user, new_entry,
    -new_entry.to_available);
  return -new_entry.to_available;
end $$;
alter function books.write_off_debt owner to holdfast_books;
revoke execute on function books.write_off_debt from public;
grant execute on function books.write_off_debt to holdfast_api;
