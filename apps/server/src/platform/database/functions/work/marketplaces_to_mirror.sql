-- Marketplaces with users in the mirror's queue that are due. Walks from one marketplace to the
-- next by the index, however many users are queued. Where signing is stopped, the users wait.
create or replace function work.marketplaces_to_mirror(due_at timestamptz) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive market (id) as (
    select min(d.marketplace_id) from mirror_queue d
    union all
    select (select min(d.marketplace_id) from mirror_queue d where d.marketplace_id > market.id)
    from market where market.id is not null)
  select market.id from market
  where market.id is not null and exists (
    select from mirror_queue d
    where d.marketplace_id = market.id and not exists (
      select from mirror_backoff w where w.marketplace_id = d.marketplace_id
        and w.user_id = d.user_id and w.next_poll_at > due_at))
    and not exists (
      select from marketplace_stop s where s.marketplace_id = market.id
        and s.level = 'SIGNING' and s.lifted_at is null)
$$;
alter function work.marketplaces_to_mirror owner to holdfast_operator;
revoke execute on function work.marketplaces_to_mirror from public;
grant execute on function work.marketplaces_to_mirror to holdfast_worker;
