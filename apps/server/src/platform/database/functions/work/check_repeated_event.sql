-- The marketplace of a webhook that was received before, and whether its body is the same now.
-- Counts a body that differs.
create or replace function work.check_repeated_event(wanted_provider text, wanted_event text,
  sent_body text)
returns table (marketplace_id bigint, is_same boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.marketplace_id, i.body = sent_body from inbox i
    where i.provider = wanted_provider and i.provider_event_id = wanted_event;
  update inbox i set contradictions = i.contradictions + 1
  where i.provider = wanted_provider and i.provider_event_id = wanted_event and i.body <> sent_body;
end $$;
alter function work.check_repeated_event owner to holdfast_operator;
revoke execute on function work.check_repeated_event from public;
grant execute on function work.check_repeated_event to holdfast_api;
