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
    select bool_and((holder.kind = 'user' and holder.marketplace_id = total.marketplace_id
      and holder.owner_id = total.owner_id and holder.currency = total.currency
      and holder.available - holder.unconfirmed + total.lowest_delta >= 0
      and holder.available + holder.reserved + total.highest_delta <= books.balance_ceiling()
      ) is true)
    from (
      select account_id, marketplace_id, owner_id, currency,
        min(available_delta) as lowest_delta,
        max(available_delta + reserved_delta) as highest_delta
      from unnest(p_requests, p_changes)
      group by account_id, marketplace_id, owner_id, currency) total
    left join account holder on holder.id = total.account_id);
end $$;
alter function books.accounts_allow owner to holdfast_books;
revoke execute on function books.accounts_allow from public;
