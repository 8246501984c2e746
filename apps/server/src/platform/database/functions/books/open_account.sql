-- The account of an owner, opened at its first use. Null when the user does not exist.
create or replace function books.open_account(p_marketplace bigint, p_kind text, p_owner text,
  p_currency text, p_now timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_id bigint;
begin
  select id into found_id from account
  where marketplace_id = p_marketplace and kind = p_kind and owner_id = p_owner and currency = p_currency;
  if found then return found_id; end if;
  if p_kind = 'user'
    and not exists (select from users where marketplace_id = p_marketplace and id = p_owner) then
    return null;
  end if;
  insert into account (marketplace_id, kind, owner_id, currency, updated_at)
  values (p_marketplace, p_kind, p_owner, p_currency, p_now)
  on conflict on constraint account_owner_key do nothing
  returning id into found_id;
  if found_id is null then
    select id into found_id from account
    where marketplace_id = p_marketplace and kind = p_kind and owner_id = p_owner and currency = p_currency;
  end if;
  return found_id;
end $$;
alter function books.open_account owner to holdfast_books;
revoke execute on function books.open_account from public;
grant execute on function books.open_account to holdfast_api;
