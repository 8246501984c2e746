-- Consumes the hold: the money has left, through the payment provider or over the network.
create or replace function books.pay_withdrawal(p_now timestamptz, p_withdrawal text, p_actor text,
  p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  is_crypto constant boolean := wanted.destination_type = 'crypto';
  holder account := books.lock_user_account(p_now, wanted.user_id, wanted.currency);
  taken bigint := books.consume_withdrawal_hold(wanted);
  made entry;
begin
  made := books.post_entry(p_now, wanted.marketplace_id,
    case when is_crypto then 'withdrawal_crypto' else 'withdrawal_payout' end, holder.id, 'reserved',
    books.house_account(p_now, case when is_crypto then 'network_clearing' else 'payment_clearing' end,
      wanted.currency),
    'available', taken, wanted.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = taken
  where marketplace_id = wanted.marketplace_id and id = wanted.id;
  perform books.emit_balance_event('balance.debited', wanted.user_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.pay_withdrawal owner to holdfast_books;
revoke execute on function books.pay_withdrawal from public;
grant execute on function books.pay_withdrawal to holdfast_app;
