-- The positions of those of these writes that this database does not have: the audit record, the
-- operation, the journal entry or the Idempotency-Key under which they were stored. A number of a
-- journal entry can be another request's after a restore. Zero owns what belongs to no marketplace.
create or replace function lost_writes(wanted text[], requests text[]) returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with owner as (select id from marketplace union all select 0)
  select write.position::int
  from unnest(wanted, requests) with ordinality as write (id, request, position)
  where not case
    when write.id like 'aud\_%' then exists (
      select from owner, audit where audit.marketplace_id = owner.id and audit.id = write.id)
    when write.id like 'op\_%' then exists (
      select from owner, operation
      where operation.marketplace_id = owner.id and operation.id = write.id)
    when write.id ~ '^[0-9]{1,18}$'
      or write.id ~ '^[0-9]{19}$' and write.id <= '9223372036854775807' then exists (
      select from owner, entry
      where entry.marketplace_id = owner.id and entry.id = write.id::bigint
        and entry.correlation_id = write.request)
    when write.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then exists (
      select from owner, idempotency
      where idempotency.marketplace_id = owner.id and scope_hash = write.id::uuid)
    else false end
$$;
alter function lost_writes owner to holdfast_operator;
revoke execute on function lost_writes from public;
grant execute on function lost_writes to holdfast_api, holdfast_operator;
