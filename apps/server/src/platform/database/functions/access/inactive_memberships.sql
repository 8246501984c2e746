-- Which of these event streams must close, by their position in the list: the session has ended, or
-- its operator is no longer a member of the marketplace.
create or replace function access.inactive_memberships(session_ids bigint[], marketplace_ids bigint[],
  wanted_at timestamptz, idle interval)
returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted.place::int
  from unnest(session_ids, marketplace_ids) with ordinality as wanted (id, marketplace_id, place)
  left join operator_session s on s.id = wanted.id and s.ended_at is null
    and s.expires_at > wanted_at and s.last_seen_at + idle > wanted_at
  left join operator o on o.id = s.operator_id and o.status = 'ACTIVE'
  left join operator_membership b on b.operator_id = o.id
    and b.marketplace_id = wanted.marketplace_id
  where b.operator_id is null
$$;
alter function access.inactive_memberships owner to holdfast_operator;
revoke execute on function access.inactive_memberships from public;
grant execute on function access.inactive_memberships to holdfast_api;
