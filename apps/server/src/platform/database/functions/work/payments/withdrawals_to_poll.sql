-- Withdrawals whose pay-out is due to be polled.
create or replace function work.withdrawals_to_poll(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.id from withdrawal w
  where w.next_poll_at <= due_at order by w.next_poll_at limit at_most
$$;
alter function work.withdrawals_to_poll owner to holdfast_operator;
revoke execute on function work.withdrawals_to_poll from public;
grant execute on function work.withdrawals_to_poll to holdfast_worker;
