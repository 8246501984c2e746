-- Consumes the hold: the money has left, through the payment provider or over the network.
create or replace function books.pay_withdrawal(p_now timestamptz, p_withdrawal text, p_actor text,
  p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  is_crypto constant boolean := withdrawal_row.destination_type = 'crypto';
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  held_amount bigint := books.consume_withdrawal_hold(withdrawal_row);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id,
    case when is_crypto then 'withdrawal_crypto' else 'withdrawal_payout' end,
    holder.id, 'reserved',
    books.house_account(p_now,
      case when is_crypto then 'network_clearing' else 'payment_clearing' end,
      withdrawal_row.currency), 'available',
    held_amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = held_amount
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  perform books.emit_balance_event('balance.debited', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.pay_withdrawal owner to holdfast_books;
revoke execute on function books.pay_withdrawal from public;
grant execute on function books.pay_withdrawal to holdfast_api, holdfast_worker;
