-- The results of requests whose connection was lost before the reply: the caller chose their audit
-- ids, so a committed one is found here. Refused requests left nothing and may be sent again.
create or replace function books.find_posted(p_marketplace bigint[], p_audit text[])
returns setof books.outcome
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.item::int, 'done', e.id, coalesce(e.to_available, e.from_available),
    coalesce(e.to_reserved, e.from_reserved), null::text, null::bigint, null::text, null::uuid
  from unnest(p_marketplace, p_audit) with ordinality as t (marketplace, audit_id, item)
  join audit a on a.marketplace_id = t.marketplace and a.id = t.audit_id
  join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
$$;
alter function books.find_posted owner to holdfast_books;
revoke execute on function books.find_posted from public;
grant execute on function books.find_posted to holdfast_api;
