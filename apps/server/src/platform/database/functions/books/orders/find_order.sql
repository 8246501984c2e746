-- The order, which must belong to the transaction's marketplace.
create or replace function books.find_order(p_order text) returns orders
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders;
begin
  select * into order_row from orders
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_order;
  if not found then raise exception 'order % is not of this marketplace', p_order; end if;
  return order_row;
end $$;
alter function books.find_order owner to holdfast_books;
revoke execute on function books.find_order from public;
