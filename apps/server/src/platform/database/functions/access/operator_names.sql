-- The names of the operators that a marketplace meets in its audit log: those who have or had a
-- role in it, and the platform's admins, who act in every one. Nothing but their names.
create or replace function access.operator_names(wanted_marketplace bigint, after_id text,
  wanted_count int)
returns table (id text, name text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.name from operator o
  where (after_id is null or o.id < after_id)
    and (o.is_platform_admin
      or exists (select from operator_membership b
        where b.marketplace_id = wanted_marketplace and b.operator_id = o.id)
      or exists (select from audit a
        where a.marketplace_id = wanted_marketplace and a.resource_id = o.id collate "default"
          and a.action = 'OPERATOR_MEMBERSHIP_SET'))
  order by o.id desc limit wanted_count
$$;
alter function access.operator_names owner to holdfast_operator;
revoke execute on function access.operator_names from public;
grant execute on function access.operator_names to holdfast_api;
