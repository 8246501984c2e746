-- Sets the user's money aside for the withdrawal. Refused when less is available.
create or replace function books.hold_for_withdrawal(p_now timestamptz, p_withdrawal text,
  p_reservation text, p_actor text, p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, wanted.user_id, wanted.currency);
  made entry;
begin
  if holder.available < wanted.amount then
    return row(null, holder.available, holder.reserved)::books.withdrawal_posting;
  end if;
  made := books.post_entry(p_now, wanted.marketplace_id, 'withdrawal_hold', holder.id, 'available',
    holder.id, 'reserved', wanted.amount, wanted.id, p_actor, p_correlation, null, null);
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (wanted.marketplace_id, p_reservation, holder.id, 'withdrawal', wanted.id, made.amount,
    made.amount, made.id, p_now);
  perform books.emit_balance_event('balance.reserved', wanted.user_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.hold_for_withdrawal owner to holdfast_books;
revoke execute on function books.hold_for_withdrawal from public;
grant execute on function books.hold_for_withdrawal to holdfast_app;
