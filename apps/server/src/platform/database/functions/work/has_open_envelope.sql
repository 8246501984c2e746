-- Whether an account has another transaction without a final status, in any marketplace: house
-- wallets serve them all, and of two transactions with one sequence number only one can take
-- effect. The mirror's batches count too: their source is a channel, yet they move the account's
-- money.
create or replace function work.has_open_envelope(wanted_source text, own_purpose text)
returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
      select from envelope where source = wanted_source and state = 'OPEN' and purpose <> own_purpose)
    or exists (select from mirror_item i where i.address = wanted_source and i.status = 'OPEN')
$$;
alter function work.has_open_envelope owner to holdfast_operator;
revoke execute on function work.has_open_envelope from public;
grant execute on function work.has_open_envelope to holdfast_worker;
