-- Replaces the deltas of each house account by their sum. Deletes and inserts in one transaction,
-- so a reader sees the deltas or their sum, never both.
create or replace function books.compact_house_deltas(p_marketplace bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  folded bigint;
begin
  with taken as (
    delete from house_delta where ctid = any (array(
      select ctid from house_delta where marketplace_id = p_marketplace limit 20000))
    returning account_id, delta),
  kept as (
    insert into house_delta (marketplace_id, account_id, delta)
    select p_marketplace, account_id, sum(delta) from taken group by account_id)
  select count(*) into folded from taken;
  return folded;
end $$;
alter function books.compact_house_deltas owner to holdfast_books;
revoke execute on function books.compact_house_deltas from public;
grant execute on function books.compact_house_deltas to holdfast_worker;
