-- Forces row-level security on a tenant table: the service sees its own marketplace, by a setting
-- that must be set before the first query; the auditor sees everything.
create or replace procedure guard_tenant_table(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format($policy$create policy tenant on %s to holdfast_api, holdfast_worker
    using (marketplace_id = current_setting('app.marketplace_id')::bigint)
    with check (marketplace_id = current_setting('app.marketplace_id')::bigint)$policy$, tenant_table);
  execute format('create policy auditor on %s for select to holdfast_auditor using (true)',
    tenant_table);
  execute format('grant select on %s to holdfast_auditor', tenant_table);
end $$;
revoke execute on procedure guard_tenant_table from public;
