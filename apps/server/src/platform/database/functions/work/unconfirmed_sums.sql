-- Money that is known by a notification only, by currency: it may not be at the provider at all.
create or replace function work.unconfirmed_sums()
returns table (currency text, minor numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.currency, sum(l.amount)
  from lien l join account a on a.marketplace_id = l.marketplace_id and a.id = l.account_id
  where l.lifted_at is null group by 1
$$;
alter function work.unconfirmed_sums owner to holdfast_books;
revoke execute on function work.unconfirmed_sums from public;
grant execute on function work.unconfirmed_sums to holdfast_worker;
