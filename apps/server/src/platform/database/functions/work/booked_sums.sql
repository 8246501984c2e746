-- All balances of the deployment, by currency and kind of account.
create or replace function work.booked_sums()
returns table (currency text, kind text, minor numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.currency, a.kind, sum(a.available + a.reserved) from account a
  where a.owner_id <> '' group by 1, 2
  union all
  select a.currency, a.kind, sum(p.delta) from house_delta p join account a on a.id = p.account_id
  group by 1, 2
$$;
alter function work.booked_sums owner to holdfast_operator;
revoke execute on function work.booked_sums from public;
grant execute on function work.booked_sums to holdfast_worker;
