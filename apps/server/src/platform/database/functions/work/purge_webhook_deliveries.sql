-- Purges deliveries that were started before a time, a limited number per call. Ids start with
-- their time.
create or replace function work.purge_webhook_deliveries(before timestamptz, at_most int)
returns int
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with old as (
    select d.marketplace_id, d.endpoint_id, d.id from webhook_endpoint e
    join webhook_delivery d on d.marketplace_id = e.marketplace_id and d.endpoint_id = e.id
      and d.id < public.id_floor('whd', before)
    where d.outcome <> 'PENDING' limit at_most),
  gone as (
    delete from webhook_delivery d using old
    where d.marketplace_id = old.marketplace_id and d.endpoint_id = old.endpoint_id and d.id = old.id
    returning 1)
  select count(*)::int from gone
$$;
alter function work.purge_webhook_deliveries owner to holdfast_operator;
revoke execute on function work.purge_webhook_deliveries from public;
grant execute on function work.purge_webhook_deliveries to holdfast_worker;
