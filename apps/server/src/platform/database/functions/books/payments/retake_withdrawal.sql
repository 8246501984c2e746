-- A payout was made although a notification called it failed or canceled: takes the returned money
-- again, which its lien has held back. Returns the amount; null when there is no lien.
create or replace function books.retake_withdrawal(p_now timestamptz, p_withdrawal text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  lifted constant lien := books.lift_lien(p_now, withdrawal_row.id);
  new_entry entry;
begin
  if lifted.amount is null then return null; end if;
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_retake',
    lifted.account_id, 'available',
    books.house_account(p_now, 'payment_clearing', withdrawal_row.currency), 'available',
    lifted.amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = paid + lifted.amount
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  perform books.emit_balance_event('balance.debited', withdrawal_row.user_id, new_entry);
  return lifted.amount;
end $$;
alter function books.retake_withdrawal owner to holdfast_books;
revoke execute on function books.retake_withdrawal from public;
grant execute on function books.retake_withdrawal to holdfast_api, holdfast_worker;
