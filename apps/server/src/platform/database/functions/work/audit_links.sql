-- The next links of an audit chain, for the archive outside of this database. Without the rows that
-- they cover: those hold personal data.
create or replace function work.audit_links(chain bigint, after bigint, at_most int)
returns table ("position" bigint, audit_id text, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.position, l.audit_id, l.hash from audit_link l
  where l.marketplace_id = chain and l.position > after order by l.position limit at_most
$$;
alter function work.audit_links owner to holdfast_operator;
revoke execute on function work.audit_links from public;
grant execute on function work.audit_links to holdfast_worker;
