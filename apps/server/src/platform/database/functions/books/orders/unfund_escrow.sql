-- Turns money in escrow back into the order's hold: the funding provably had no effect. Two entries
-- within the buyer's lock, credited and reserved again: each is an event that consumers know.
create or replace function books.unfund_escrow(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  new_entry entry;
begin
  if escrow.available <> order_row.amount then
    raise exception 'order % has % in escrow', p_order, escrow.available;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'escrow_unfund',
    escrow.id, 'available', buyer.id, 'available',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', order_row.buyer_id, new_entry);
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold',
    buyer.id, 'available', buyer.id, 'reserved',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(order_row, p_reservation, new_entry);
  perform books.emit_balance_event('balance.reserved', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.unfund_escrow owner to holdfast_books;
revoke execute on function books.unfund_escrow from public;
grant execute on function books.unfund_escrow to holdfast_worker;
