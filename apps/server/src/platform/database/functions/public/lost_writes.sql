-- The positions of those of these writes that this database does not have: the audit record, the
-- operation, the journal entry or the Idempotency-Key under which they were stored. A number of a
-- journal entry can be another request's after a restore. What was repeated under its key meanwhile
-- is not lost. Zero owns what belongs to no marketplace.
create or replace function lost_writes(wanted text[], requests text[], scopes text[])
returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with owner as (select id from marketplace union all select 0),
  write as (
    select position::int, id, request,
      case when key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then key::uuid end as scope
    from unnest(wanted, requests, scopes) with ordinality as given (id, request, own_scope, position),
      lateral (select case when own_scope = '' then id else own_scope end as key) as keyed)
  select position from write
  where not case
    when id like 'aud\_%' then exists (
      select from owner, audit where audit.marketplace_id = owner.id and audit.id = write.id)
    when id like 'op\_%' then exists (
      select from owner, operation
      where operation.marketplace_id = owner.id and operation.id = write.id)
    when id ~ '^[0-9]{1,18}$'
      or id ~ '^[0-9]{19}$' and id <= '9223372036854775807' then exists (
      select from owner, entry
      where entry.marketplace_id = owner.id and entry.id = write.id::bigint
        and entry.correlation_id = write.request)
    else false end
  and not exists (
    select from owner, idempotency
    where idempotency.marketplace_id = owner.id and scope_hash = write.scope)
$$;
alter function lost_writes owner to holdfast_operator;
revoke execute on function lost_writes from public;
grant execute on function lost_writes to holdfast_api, holdfast_operator;
