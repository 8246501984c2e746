-- Records money that an entry has set aside for the order.
create or replace function books.create_order_hold(p_order orders, p_reservation text, p_entry entry)
returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (p_order.marketplace_id, p_reservation,
    p_entry.to_account, 'order', p_order.id, p_entry.amount, p_entry.amount, p_entry.id, p_entry.created_at)
$$;
alter function books.create_order_hold owner to holdfast_books;
revoke execute on function books.create_order_hold from public;
