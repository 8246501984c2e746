-- An operator by e-mail address, to check a sign-in.
create or replace function access.find_operator(wanted_email_key text)
returns table (id text, email text, name text, password_hash text, totp_secret bytea,
  totp_key_version text, status text, is_platform_admin boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id, email, name, password_hash, totp_secret, totp_key_version, status, is_platform_admin
  from operator where email_key = wanted_email_key
$$;
alter function access.find_operator owner to holdfast_operator;
revoke execute on function access.find_operator from public;
grant execute on function access.find_operator to holdfast_api;
