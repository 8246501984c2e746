-- Returns the withdrawal's hold to the user: nothing was paid out. With a lien where only a
-- notification says so.
create or replace function books.return_withdrawal_hold(p_now timestamptz, p_withdrawal text,
  p_is_confirmed boolean, p_note text, p_actor text, p_correlation text)
returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  held_amount bigint := books.consume_withdrawal_hold(withdrawal_row);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_hold_return',
    holder.id, 'reserved', holder.id, 'available',
    held_amount, withdrawal_row.id, p_actor, p_correlation, null, p_note);
  if not p_is_confirmed then perform books.open_lien(new_entry, holder.id); end if;
  perform books.emit_balance_event('balance.released', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.return_withdrawal_hold owner to holdfast_books;
revoke execute on function books.return_withdrawal_hold from public;
grant execute on function books.return_withdrawal_hold to holdfast_api, holdfast_worker;
