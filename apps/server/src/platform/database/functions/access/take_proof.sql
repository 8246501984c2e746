-- Takes the step of an operator's code once, and records what it proved. False for a step that was
-- taken, for any before it, and for an operator who is locked out.
create or replace function access.take_proof(wanted_operator text, shown_step bigint,
  shown_at timestamptz, proved_action text, proved_request uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update operator o set totp_step = shown_step, failed_code_count = 0, locked_until = null
  where o.id = wanted_operator and o.totp_step < shown_step and o.status = 'ACTIVE'
    and (o.locked_until is null or o.locked_until <= shown_at);
  if not found then return false; end if;
  insert into operator_proof (operator_id, totp_step, action, request_hash, taken_at)
  values (wanted_operator, shown_step, proved_action, proved_request, shown_at);
  return true;
end $$;
alter function access.take_proof owner to holdfast_operator;
revoke execute on function access.take_proof from public;
grant execute on function access.take_proof to holdfast_api;
