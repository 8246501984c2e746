-- Opens the accounts that an order's money will pass through: both parties', the escrow's, and the
-- one for fees. With the order, and without reading first: opened later, orders that are funded or
-- settled at the same time would collide.
create or replace function books.open_order_accounts(p_now timestamptz, p_order text, p_buyer text,
  p_seller text, p_currency text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into account (marketplace_id, kind, owner_id, currency, updated_at)
  select current_setting('app.marketplace_id')::bigint, wanted.kind, wanted.owner_id, p_currency, p_now
  from (values ('user', p_buyer), ('user', p_seller), ('escrow', p_order), ('fee_income', ''))
    as wanted (kind, owner_id)
  order by wanted.kind, wanted.owner_id
  on conflict on constraint account_owner_key do nothing
$$;
alter function books.open_order_accounts owner to holdfast_books;
revoke execute on function books.open_order_accounts from public;
grant execute on function books.open_order_accounts to holdfast_api;
