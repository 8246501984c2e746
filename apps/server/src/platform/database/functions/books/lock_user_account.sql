-- The user's account, opened at its first use and locked until the transaction ends.
create or replace function books.lock_user_account(p_now timestamptz, p_user text, p_currency text)
returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  marketplace bigint := current_setting('app.marketplace_id')::bigint;
  user_account_id bigint := books.open_account(marketplace, 'user', p_user, p_currency, p_now);
  user_account account;
begin
  select * into user_account from account where id = user_account_id for no key update;
  if not found then raise exception 'user % is not of this marketplace', p_user; end if;
  return user_account;
end $$;
alter function books.lock_user_account owner to holdfast_books;
revoke execute on function books.lock_user_account from public;
