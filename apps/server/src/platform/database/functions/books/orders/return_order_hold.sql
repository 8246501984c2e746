-- Returns the order's hold to the buyer: the order is cancelled.
create or replace function books.return_order_hold(p_now timestamptz, p_order text, p_note text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  held_amount bigint := books.consume_order_hold(order_row);
  new_entry entry;
begin
  if held_amount is null then raise exception 'order % holds nothing', p_order; end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold_return',
    buyer.id, 'reserved', buyer.id, 'available',
    held_amount, order_row.id, p_actor, p_correlation, null, p_note);
  perform books.emit_balance_event('balance.released', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.return_order_hold owner to holdfast_books;
revoke execute on function books.return_order_hold from public;
grant execute on function books.return_order_hold to holdfast_api, holdfast_worker;
