-- Withdrawals that were not committed in time.
create or replace function work.withdrawals_to_expire(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.id from withdrawal w
  where w.status = 'WITHDRAWAL_CREATED' and w.expires_at <= due_at
  order by w.expires_at limit at_most
$$;
alter function work.withdrawals_to_expire owner to holdfast_operator;
revoke execute on function work.withdrawals_to_expire from public;
grant execute on function work.withdrawals_to_expire to holdfast_worker;
