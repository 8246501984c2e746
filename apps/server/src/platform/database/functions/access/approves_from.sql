-- Until when an operator approves nothing; null for one who may. A marketplace's role cannot read
-- the table itself.
create or replace function access.approves_from(wanted_operator text, wanted_at timestamptz)
returns timestamptz
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select approves_from from operator where id = wanted_operator and approves_from > wanted_at
$$;
alter function access.approves_from owner to holdfast_operator;
revoke execute on function access.approves_from from public;
grant execute on function access.approves_from to holdfast_api;
