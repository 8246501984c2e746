-- Stops that are not known yet to hold everywhere.
create or replace function work.stops_to_settle()
returns table (marketplace_id bigint, id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.marketplace_id, s.id from marketplace_stop s
  where s.lifted_at is null and s.settled_at is null order by s.id
$$;
alter function work.stops_to_settle owner to holdfast_operator;
revoke execute on function work.stops_to_settle from public;
grant execute on function work.stops_to_settle to holdfast_worker;
