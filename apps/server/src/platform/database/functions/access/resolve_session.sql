-- The operator that a session token stands for, with the role in the requested marketplace. A token
-- that arrives with another user agent was stolen: its session ends.
create or replace function access.resolve_session(shown_hash bytea, shown_agent bytea,
  shown_at timestamptz, idle interval, wanted_marketplace text)
returns table (session_id bigint, expires_at timestamptz, operator_id text, email text, name text,
  is_platform_admin boolean, marketplace_id bigint, marketplace_public_id text, role text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_session operator_session;
begin
  select s.* into found_session from operator_session s
  where s.token_hash = shown_hash and s.ended_at is null
    and s.expires_at > shown_at and s.last_seen_at + idle > shown_at;
  if not found then return; end if;
  if found_session.user_agent_hash <> shown_agent then
    update operator_session s set ended_at = shown_at
    where s.id = found_session.id and s.ended_at is null;
    return;
  end if;
  -- Accurate to the minute, so that most requests only read.
  if found_session.last_seen_at < shown_at - interval '1 minute' then
    update operator_session s set last_seen_at = shown_at
    where s.id = found_session.id and s.last_seen_at < shown_at;
  end if;
  return query
    select found_session.id, found_session.expires_at, o.id, o.email, o.name, o.is_platform_admin,
      m.id, m.public_id, b.role
    from operator o
    left join (operator_membership b
      join marketplace m on m.id = b.marketplace_id and m.public_id = wanted_marketplace)
      on b.operator_id = o.id
    where o.id = found_session.operator_id and o.status = 'ACTIVE';
end $$;
alter function access.resolve_session owner to holdfast_operator;
revoke execute on function access.resolve_session from public;
grant execute on function access.resolve_session to holdfast_api;
