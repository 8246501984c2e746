-- Webhooks from providers that are due, of all marketplaces and of none yet.
create or replace function work.inbox_events_due(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, provider text, provider_event_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.marketplace_id, i.provider, i.provider_event_id from inbox i
  where i.status = 'PENDING' and i.next_try_at <= due_at order by i.next_try_at limit at_most
$$;
alter function work.inbox_events_due owner to holdfast_operator;
revoke execute on function work.inbox_events_due from public;
grant execute on function work.inbox_events_due to holdfast_worker;
