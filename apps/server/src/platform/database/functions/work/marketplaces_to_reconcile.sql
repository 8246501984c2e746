-- Marketplaces that were not reconciled since a time.
create or replace function work.marketplaces_to_reconcile(since timestamptz, at_most int)
returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m
  where m.created_at <= since and not exists (select from reconciliation_run r
    where r.marketplace_id = m.id and (r.status = 'RUNNING' or r.created_at > since))
  order by m.id limit at_most
$$;
alter function work.marketplaces_to_reconcile owner to holdfast_operator;
revoke execute on function work.marketplaces_to_reconcile from public;
grant execute on function work.marketplaces_to_reconcile to holdfast_worker;
