-- Marketplaces that have enough deltas of house accounts to be worth compacting.
create or replace function books.unfolded_marketplaces(at_least int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select marketplace_id from house_part group by marketplace_id having count(*) >= at_least
$$;
alter function books.unfolded_marketplaces owner to holdfast_books;
revoke execute on function books.unfolded_marketplaces from public;
grant execute on function books.unfolded_marketplaces to holdfast_app;
