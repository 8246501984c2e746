-- The amounts that earlier resolutions of these exceptions have posted.
create or replace function work.posted_exceptions(keys text[])
returns table (marketplace_id bigint, key text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.key, sum(e.posted) * 100000 from reconciliation_exception e
  where e.status = 'RESOLVED' and e.key = any (keys) and e.posted is not null group by 1, 2
$$;
alter function work.posted_exceptions owner to holdfast_operator;
revoke execute on function work.posted_exceptions from public;
grant execute on function work.posted_exceptions to holdfast_worker;
