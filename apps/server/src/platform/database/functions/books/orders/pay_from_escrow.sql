-- Pays out of escrow: the seller by a release, the buyer by a refund, and no other user. An open
-- debt of the payee is repaid from it first.
create or replace function books.pay_from_escrow(p_now timestamptz, p_order text, p_purpose text,
  p_amount bigint, p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  payee_id constant text := case p_purpose when 'order_release' then order_row.seller_id
    when 'order_refund' then order_row.buyer_id end;
  payee account := books.lock_order_account(order_row, 'user', payee_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  new_entry entry;
  repaid bigint;
begin
  new_entry := books.post_entry(p_now, order_row.marketplace_id, p_purpose,
    escrow.id, 'available', payee.id, 'available',
    p_amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', payee_id, new_entry);
  repaid := books.repay_debt(p_now, payee.id, order_row.id, p_actor, p_correlation);
  return row(new_entry.id, new_entry.to_available - repaid,
    new_entry.to_reserved)::books.order_posting;
end $$;
alter function books.pay_from_escrow owner to holdfast_books;
revoke execute on function books.pay_from_escrow from public;
grant execute on function books.pay_from_escrow to holdfast_api, holdfast_worker;
