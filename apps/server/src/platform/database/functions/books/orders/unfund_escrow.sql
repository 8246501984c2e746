-- Turns money in escrow back into the order's hold: the funding provably had no effect.
create or replace function books.unfund_escrow(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  made entry;
begin
  if escrow.available <> agreed.amount then
    raise exception 'order % has % in escrow', p_order, escrow.available;
  end if;
  made := books.post_entry(p_now, agreed.marketplace_id, 'escrow_unfund', escrow.id, 'available',
    buyer.id, 'reserved', agreed.amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(agreed, p_reservation, made);
  return row(made.id, made.to_available, made.to_reserved)::books.order_posting;
end $$;
alter function books.unfund_escrow owner to holdfast_books;
revoke execute on function books.unfund_escrow from public;
grant execute on function books.unfund_escrow to holdfast_app;
