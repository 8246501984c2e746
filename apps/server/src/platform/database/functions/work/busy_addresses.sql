-- Which of these addresses take part in a transaction without a final status: as its source, or in
-- a batch of the mirror.
create or replace function work.busy_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(addresses) as wanted
  where exists (select from envelope e where e.source = wanted and e.state = 'OPEN')
    or exists (select from mirror_item i where i.address = wanted and i.status = 'OPEN')
$$;
alter function work.busy_addresses owner to holdfast_operator;
revoke execute on function work.busy_addresses from public;
grant execute on function work.busy_addresses to holdfast_worker;
