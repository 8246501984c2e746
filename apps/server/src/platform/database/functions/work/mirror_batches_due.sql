-- Batches of the mirror that are due to be continued.
create or replace function work.mirror_batches_due(due_at timestamptz, at_most int)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select b.marketplace_id, b.id from mirror_batch b
  where b.status = 'OPEN' and b.next_try_at <= due_at order by b.next_try_at limit at_most
$$;
alter function work.mirror_batches_due owner to holdfast_operator;
revoke execute on function work.mirror_batches_due from public;
grant execute on function work.mirror_batches_due to holdfast_worker;
