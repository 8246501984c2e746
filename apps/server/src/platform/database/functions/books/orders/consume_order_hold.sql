-- Takes everything that the order's own hold has. Null when it has none. By its own index and in
-- one statement: reading the other keys would make neighbouring orders collide.
create or replace function books.consume_order_hold(p_order orders) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  held_amount bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_order.marketplace_id and subject_id = p_order.id collate "default"
    and owner = 'order' and remaining > 0
  returning amount into held_amount;
  return held_amount;
end $$;
alter function books.consume_order_hold owner to holdfast_books;
revoke execute on function books.consume_order_hold from public;
