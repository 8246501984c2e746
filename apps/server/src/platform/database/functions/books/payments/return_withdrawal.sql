-- The provider has returned a payout that was completed: the user gets what was paid out, once. What
-- suspense has paid since is not the user's. Returns the amount; null when there is none.
create or replace function books.return_withdrawal(p_now timestamptz, p_withdrawal text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  due bigint := least(withdrawal_row.paid, withdrawal_row.amount - withdrawal_row.returned);
begin
  if due <= 0 or withdrawal_row.destination_type = 'crypto' then return null; end if;
  perform books.pay_user(p_now, withdrawal_row.user_id, withdrawal_row.currency, due,
    books.house_account(p_now, 'payment_clearing', withdrawal_row.currency), 'withdrawal_return',
    withdrawal_row.id, p_actor, p_correlation);
  update withdrawal set paid = paid - due, returned = returned + due
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  return due;
end $$;
alter function books.return_withdrawal owner to holdfast_books;
revoke execute on function books.return_withdrawal from public;
grant execute on function books.return_withdrawal to holdfast_api, holdfast_worker;
