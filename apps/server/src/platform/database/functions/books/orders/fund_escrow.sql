-- Turns the order's hold into money in escrow, before anything is sent. Refused when the hold is
-- missing: then the entry is null.
create or replace function books.fund_escrow(p_now timestamptz, p_order text, p_actor text,
  p_correlation text)
returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  held_amount bigint := books.consume_order_hold(order_row);
  new_entry entry;
begin
  if held_amount is null then return row(null, buyer.available, 0)::books.order_posting; end if;
  if held_amount <> order_row.amount or escrow.available <> 0 then
    raise exception 'order % holds % and has % in escrow', p_order, held_amount, escrow.available;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'escrow_fund',
    buyer.id, 'reserved', escrow.id, 'available',
    held_amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.debited', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.fund_escrow owner to holdfast_books;
revoke execute on function books.fund_escrow from public;
grant execute on function books.fund_escrow to holdfast_api, holdfast_worker;
