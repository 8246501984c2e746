-- Who knows a password could try codes until one fits: wrong codes in a row lock an operator out for
-- a while, ever longer. A right one begins anew.
alter table operator add column wrong_codes int not null default 0;
alter table operator add column locked_until timestamptz;
grant update (wrong_codes, locked_until) on operator to holdfast_operator;

-- Which of these streams are over, by their place in the list: the session has ended, or who has it
-- is not a member of the marketplace any more. `access.ended_sessions` serves the build before.
create function access.ended_seats(session_ids bigint[], marketplace_ids bigint[],
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
alter function access.ended_seats owner to holdfast_operator;
revoke execute on function access.ended_seats from public;
grant execute on function access.ended_seats to holdfast_app;
