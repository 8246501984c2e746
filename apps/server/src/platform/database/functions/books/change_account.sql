-- Changes an account's buckets and returns it. A house account has no row that every transfer must
-- wait for: it gets one more part.
create or replace function books.change_account(p_now timestamptz, p_account account,
  p_available bigint, p_reserved bigint)
returns account
language plpgsql as $$
declare
  changed account := p_account;
begin
  if p_account.owner_id = '' then
    insert into house_delta (marketplace_id, account_id, delta)
    values (p_account.marketplace_id, p_account.id, p_available + p_reserved);
  else
    update account set available = available + p_available, reserved = reserved + p_reserved,
      version = version + 1, updated_at = p_now
    where id = p_account.id returning * into changed;
  end if;
  return changed;
end $$;
alter function books.change_account owner to holdfast_books;
revoke execute on function books.change_account from public;
