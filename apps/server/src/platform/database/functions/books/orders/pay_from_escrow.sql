-- Pays out of escrow: the seller by a release, the buyer by a refund, and no other user.
create or replace function books.pay_from_escrow(p_now timestamptz, p_order text, p_purpose text,
  p_amount bigint, p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  payee_id constant text := case p_purpose when 'order_release' then agreed.seller_id
    when 'order_refund' then agreed.buyer_id end;
  payee account := books.lock_order_account(agreed, 'user', payee_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  made entry;
begin
  made := books.post_entry(p_now, agreed.marketplace_id, p_purpose, escrow.id, 'available',
    payee.id, 'available', p_amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', payee_id, made);
  return row(made.id, made.to_available, made.to_reserved)::books.order_posting;
end $$;
alter function books.pay_from_escrow owner to holdfast_books;
revoke execute on function books.pay_from_escrow from public;
grant execute on function books.pay_from_escrow to holdfast_app;
