-- The number of a house account, opened at its first use. House accounts are never locked.
create or replace function books.house_account(p_now timestamptz, p_kind text, p_currency text)
returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select books.open_account(current_setting('app.marketplace_id')::bigint, p_kind, '', p_currency, p_now)
$$;
alter function books.house_account owner to holdfast_books;
revoke execute on function books.house_account from public;
