-- Whether an account has a transaction whose fate is open, in whichever marketplace: wallets of the
-- house serve them all. Two transactions with one sequence number can't both take effect.
create policy operator on envelope for select to holdfast_operator using (true);
grant select on envelope to holdfast_operator;
create index envelope_source_idx on envelope (source) where state = 'OPEN';
create function work.has_open_envelope(wanted_source text, own_purpose text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from envelope where source = wanted_source and state = 'OPEN' and purpose <> own_purpose)
$$;
alter function work.has_open_envelope owner to holdfast_operator;
revoke execute on function work.has_open_envelope from public;
grant execute on function work.has_open_envelope to holdfast_app;

-- A key that began an operation is bound to it, and gets the operation's answer once there is one.
grant update (status, response) on idempotency to holdfast_app;
