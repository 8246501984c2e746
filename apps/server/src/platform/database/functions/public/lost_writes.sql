-- Of these requests, the ones whose writes this database does not have: no audit record and no
-- operation has the id of the request. The ids say from when on they are searched, which keeps to
-- the newest rows of each marketplace; zero is what belongs to none.
create or replace function lost_writes(wanted text[], since_audit text, since_operation text)
returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with owner as (select id from marketplace union all select 0)
  select distinct each from unnest(wanted) as each
  except
  select correlation_id from owner, lateral (
    select correlation_id from audit
    where marketplace_id = owner.id and audit.id >= since_audit) as written
  where correlation_id = any (wanted)
  except
  select correlation_id from owner, lateral (
    select correlation_id from operation
    where marketplace_id = owner.id and operation.id >= since_operation) as opened
  where correlation_id = any (wanted)
$$;
alter function lost_writes owner to holdfast_operator;
revoke execute on function lost_writes from public;
grant execute on function lost_writes to holdfast_api, holdfast_operator;
