-- Records when keys were last used, many at a time and never backward. The rows are locked in the
-- order of their ids, so that two batches cannot deadlock.
create or replace function access.record_key_use(key_ids text[], used_at timestamptz[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with locked as (select id from api_key where id = any (key_ids) order by id for update)
  update api_key k set last_used_at = used.at
  from unnest(key_ids, used_at) as used (id, at), locked
  where k.id = used.id and k.id = locked.id and (k.last_used_at is null or k.last_used_at < used.at)
$$;
alter function access.record_key_use owner to holdfast_operator;
revoke execute on function access.record_key_use from public;
grant execute on function access.record_key_use to holdfast_api;
