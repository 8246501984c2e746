-- Whether every credit and debit of a batch names the adjustments account of its marketplace and
-- currency, and nothing else names any.
create or replace function books.house_accounts_match(p_requests books.posting_request[])
returns boolean
language plpgsql stable as $$
begin
  return (
    select bool_and((case wanted.kind
      when 'reserve' then wanted.house_account_id is null
      else house.kind = 'adjustments' and house.marketplace_id = wanted.marketplace_id
        and house.currency = wanted.currency end) is true)
    from (
      select distinct kind, house_account_id, marketplace_id, currency
      from unnest(p_requests)) wanted
    left join account house on house.id = wanted.house_account_id);
end $$;
alter function books.house_accounts_match owner to holdfast_books;
revoke execute on function books.house_accounts_match from public;
