-- Top-ups that are due to be polled.
create or replace function work.topups_to_poll(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.topup_id from topup_poll l
  where l.next_poll_at <= due_at order by l.next_poll_at limit at_most
$$;
alter function work.topups_to_poll owner to holdfast_operator;
revoke execute on function work.topups_to_poll from public;
grant execute on function work.topups_to_poll to holdfast_worker;
