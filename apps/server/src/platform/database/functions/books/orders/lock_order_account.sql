-- An account that the order's money passes through, locked. It was opened with the order.
create or replace function books.lock_order_account(p_order orders, p_kind text, p_owner text)
returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_account account;
begin
  select * into order_account from account
  where marketplace_id = p_order.marketplace_id and kind = p_kind and owner_id = p_owner
    and currency = p_order.currency
  for no key update;
  if not found then raise exception '% account of % was never opened', p_kind, p_owner; end if;
  return order_account;
end $$;
alter function books.lock_order_account owner to holdfast_books;
revoke execute on function books.lock_order_account from public;
