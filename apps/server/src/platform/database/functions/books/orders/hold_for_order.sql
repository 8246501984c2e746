-- Sets the buyer's money aside for the order, after an open debt is repaid. Refused when less is
-- available and confirmed then.
create or replace function books.hold_for_order(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  new_entry entry;
begin
  buyer.available := buyer.available
    - books.repay_debt(p_now, buyer.id, order_row.id, p_actor, p_correlation);
  if buyer.available - buyer.unconfirmed < order_row.amount then
    return row(null, buyer.available, buyer.reserved)::books.order_posting;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold',
    buyer.id, 'available', buyer.id, 'reserved',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(order_row, p_reservation, new_entry);
  perform books.emit_balance_event('balance.reserved', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.hold_for_order owner to holdfast_books;
revoke execute on function books.hold_for_order from public;
grant execute on function books.hold_for_order to holdfast_api;
