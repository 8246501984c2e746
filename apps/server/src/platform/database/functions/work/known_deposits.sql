-- Which of these network operations are recorded as deposits.
create or replace function work.known_deposits(operation_ids text[])
returns table (operation_id text, transfer_index int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.operation_id, d.transfer_index from deposit d where d.operation_id = any (operation_ids)
$$;
alter function work.known_deposits owner to holdfast_operator;
revoke execute on function work.known_deposits from public;
grant execute on function work.known_deposits to holdfast_api, holdfast_worker;
