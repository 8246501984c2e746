-- The account of a request, locked. It must be a user's of the request's marketplace, and the house
-- account must be the one that its kind needs.
create or replace function books.lock_holder(p_request books.posting_request)
returns account
language plpgsql as $$
declare
  holder account;
  house account;
begin
  select * into holder from account where id = p_request.account_id for no key update;
  if holder.marketplace_id is distinct from p_request.marketplace_id or holder.kind <> 'user' then
    raise exception 'account % is not of marketplace %', p_request.account_id,
      p_request.marketplace_id;
  end if;
  if p_request.house_account_id is not null then
    select * into house from account where id = p_request.house_account_id;
  end if;
  if (p_request.house_account_id is not null) <> (p_request.kind in ('credit', 'debit', 'spend'))
    or (p_request.house_account_id is not null
      and (house.marketplace_id, house.kind, house.currency)
        is distinct from (p_request.marketplace_id, 'adjustments', holder.currency)) then
    raise exception 'account % is not the other side of a % here', p_request.house_account_id,
      p_request.kind;
  end if;
  return holder;
end $$;
alter function books.lock_holder owner to holdfast_books;
revoke execute on function books.lock_holder from public;
