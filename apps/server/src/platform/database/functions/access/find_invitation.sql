-- The operator of an invitation that can still be used. Its caller is not known yet.
create or replace function access.find_invitation(shown_hash bytea, shown_at timestamptz)
returns table (id text, email text, name text, is_platform_admin boolean, expires_at timestamptz,
  totp_secret bytea, totp_key_version text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.email, o.name, o.is_platform_admin, i.expires_at, i.totp_secret,
    i.totp_key_version
  from operator_invitation i join operator o on o.id = i.operator_id
  where i.token_hash = shown_hash and i.used_at is null and i.expires_at > shown_at
    and o.status = 'INVITED'
$$;
alter function access.find_invitation owner to holdfast_operator;
revoke execute on function access.find_invitation from public;
grant execute on function access.find_invitation to holdfast_api;
