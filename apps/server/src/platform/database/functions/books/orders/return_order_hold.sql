-- Returns the order's hold to the buyer: the order is cancelled.
create or replace function books.return_order_hold(p_now timestamptz, p_order text, p_note text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  taken bigint := books.consume_order_hold(agreed);
  made entry;
begin
  if taken is null then raise exception 'order % holds nothing', p_order; end if;
  made := books.post_entry(p_now, agreed.marketplace_id, 'order_hold_return', buyer.id, 'reserved',
    buyer.id, 'available', taken, agreed.id, p_actor, p_correlation, null, p_note);
  perform books.emit_balance_event('balance.released', agreed.buyer_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;
alter function books.return_order_hold owner to holdfast_books;
revoke execute on function books.return_order_hold from public;
grant execute on function books.return_order_hold to holdfast_app;
