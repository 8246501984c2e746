-- Moves the platform's fee from escrow to fee income.
create or replace function books.take_fee_from_escrow(p_now timestamptz, p_order text,
  p_amount bigint, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  house bigint;
  new_entry entry;
begin
  -- Not locked: no transaction ever waits for a house account's row.
  select id into strict house from account where marketplace_id = order_row.marketplace_id
    and kind = 'fee_income' and owner_id = '' and currency = order_row.currency;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_fee',
    escrow.id, 'available', house, 'available',
    p_amount, order_row.id, p_actor, p_correlation, null, null);
  return new_entry.id;
end $$;
alter function books.take_fee_from_escrow owner to holdfast_books;
revoke execute on function books.take_fee_from_escrow from public;
grant execute on function books.take_fee_from_escrow to holdfast_api, holdfast_worker;
