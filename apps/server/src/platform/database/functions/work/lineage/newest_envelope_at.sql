-- When the newest envelope of this account was stored, in any marketplace.
create or replace function work.newest_envelope_at(wanted_source text) returns timestamptz
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select created_at from envelope where source = wanted_source order by sequence desc limit 1
$$;
alter function work.newest_envelope_at owner to holdfast_operator;
revoke execute on function work.newest_envelope_at from public;
grant execute on function work.newest_envelope_at to holdfast_worker;
