-- Sets the buyer's money aside for the order. Refused when less is available.
create or replace function books.hold_for_order(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  made entry;
begin
  if buyer.available < agreed.amount then
    return row(null, buyer.available, buyer.reserved)::books.order_posting;
  end if;
  made := books.post_entry(p_now, agreed.marketplace_id, 'order_hold', buyer.id, 'available',
    buyer.id, 'reserved', agreed.amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(agreed, p_reservation, made);
  perform books.emit_balance_event('balance.reserved', agreed.buyer_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;
alter function books.hold_for_order owner to holdfast_books;
revoke execute on function books.hold_for_order from public;
grant execute on function books.hold_for_order to holdfast_app;
