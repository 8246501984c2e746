-- Whether an envelope may use this sequence number of an account: the number before it was used by
-- an envelope of ours, in any marketplace, or by none, as on a new account. A transaction that this
-- database has forgotten has used a number that no envelope here has, so it bars its account. In
-- plpgsql, whose plan is made once for a connection.
create or replace function work.is_known_number(wanted_source text, wanted_sequence numeric)
returns boolean
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return mod(wanted_sequence - 1, 4294967296) = 0 or exists (
    select from envelope where source = wanted_source and sequence = wanted_sequence - 1
      and state in ('APPLIED', 'FAILED'));
end $$;
alter function work.is_known_number owner to holdfast_operator;
revoke execute on function work.is_known_number from public;
grant execute on function work.is_known_number to holdfast_worker;
