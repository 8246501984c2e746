-- Sets the user's money aside for the withdrawal, after an open debt is repaid. Refused when less
-- is available and confirmed then.
create or replace function books.hold_for_withdrawal(p_now timestamptz, p_withdrawal text,
  p_reservation text, p_actor text, p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  new_entry entry;
begin
  holder.available := holder.available
    - books.repay_debt(p_now, holder.id, withdrawal_row.id, p_actor, p_correlation);
  if holder.available - holder.unconfirmed < withdrawal_row.amount then
    return row(null, holder.available, holder.reserved)::books.withdrawal_posting;
  end if;
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_hold',
    holder.id, 'available', holder.id, 'reserved',
    withdrawal_row.amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (withdrawal_row.marketplace_id, p_reservation, holder.id, 'withdrawal', withdrawal_row.id,
    new_entry.amount, new_entry.amount, new_entry.id, p_now);
  perform books.emit_balance_event('balance.reserved', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.hold_for_withdrawal owner to holdfast_books;
revoke execute on function books.hold_for_withdrawal from public;
grant execute on function books.hold_for_withdrawal to holdfast_api;
