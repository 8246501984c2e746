-- The marketplaces of this batch whose money is stopped; null if there is none.
create or replace function books.frozen_marketplaces(p_requests books.posting_request[])
returns bigint[]
language sql stable as $$
  select array_agg(distinct marketplace_id) from marketplace_stop
  where lifted_at is null and level in ('MONEY', 'SIGNING')
    and marketplace_id = any (array(select marketplace_id from unnest(p_requests)))
$$;
alter function books.frozen_marketplaces owner to holdfast_books;
revoke execute on function books.frozen_marketplaces from public;
