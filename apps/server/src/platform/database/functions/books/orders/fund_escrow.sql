-- Turns the order's hold into money in escrow, before anything is sent. Refused when the hold is
-- missing: then `reserved` is zero.
create or replace function books.fund_escrow(p_now timestamptz, p_order text, p_actor text,
  p_correlation text)
returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  taken bigint := books.consume_order_hold(agreed);
  made entry;
begin
  if taken is null then return row(null, buyer.available, 0)::books.order_posting; end if;
  if taken <> agreed.amount or escrow.available <> 0 then
    raise exception 'order % holds % and has % in escrow', p_order, taken, escrow.available;
  end if;
  made := books.post_entry(p_now, agreed.marketplace_id, 'escrow_fund', buyer.id, 'reserved',
    escrow.id, 'available', taken, agreed.id, p_actor, p_correlation, null, null);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;
alter function books.fund_escrow owner to holdfast_books;
revoke execute on function books.fund_escrow from public;
grant execute on function books.fund_escrow to holdfast_app;
