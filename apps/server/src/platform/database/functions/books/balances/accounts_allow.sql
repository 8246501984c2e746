-- Whether every account of a batch is what its requests take it for, and stays within its bounds all
-- the way. Nothing is taken on trust: marketplace, owner and currency are compared with the
-- account's own.
create or replace function books.accounts_allow(p_requests books.posting_request[],
  p_changes books.running_change[])
returns boolean
language plpgsql stable as $$
begin
  return (
    -- `is true`, since bool_and passes over null: an account that doesn't exist is a no.
    select bool_and((held.kind = 'user' and held.marketplace_id = wanted.marketplace_id
      and held.owner_id = wanted.owner_id and held.currency = wanted.currency
      and held.available + wanted.lowest >= 0
      and held.available + held.reserved + wanted.highest <= books.balance_ceiling()) is true)
    from (
      select account_id, marketplace_id, owner_id, currency,
        min(available) as lowest, max(available + reserved) as highest
      from unnest(p_requests, p_changes)
      group by account_id, marketplace_id, owner_id, currency) wanted
    left join account held on held.id = wanted.account_id);
end $$;
alter function books.accounts_allow owner to holdfast_books;
revoke execute on function books.accounts_allow from public;
