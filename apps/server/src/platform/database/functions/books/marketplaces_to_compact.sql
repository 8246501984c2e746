-- Marketplaces that have enough deltas of house accounts to be worth compacting.
create or replace function books.marketplaces_to_compact(at_least int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select marketplace_id from house_delta group by marketplace_id having count(*) >= at_least
$$;
alter function books.marketplaces_to_compact owner to holdfast_books;
revoke execute on function books.marketplaces_to_compact from public;
grant execute on function books.marketplaces_to_compact to holdfast_worker;
