-- Many balance requests in one commit, each with its own outcome: together if all of them can be
-- done, in a few statements for the whole batch, otherwise one by one.
--
-- The settings hold for everything that is called from here. They make the planner look up each row
-- of a batch by its index, in the order of the batch: another plan would lock accounts in another
-- order, or read whole tables as long as their statistics are those of empty ones.
create or replace function books.post_batch(p_now timestamptz, p_adjustment_limit bigint,
  p_one_by_one boolean, p_requests books.posting_request[])
returns setof books.outcome
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  changes books.running_change[];
  frozen bigint[];
  history text := lineage_status();
begin
  if history not in ('OPEN', 'PROMOTED') then
    raise exception 'writes are closed: %', history using errcode = 'HF002';
  end if;
  -- Once for the batch, before anything is written: a stop that commits later waits for this one.
  if exists (select from marketplace_stop
    where lifted_at is null and level in ('MONEY', 'SIGNING')) then
    frozen := books.frozen_marketplaces(p_requests);
  end if;
  if not p_one_by_one and frozen is null then
    changes := books.plan_together(p_adjustment_limit, p_requests);
  end if;
  if changes is not null then
    return query select * from books.post_together(p_now, p_requests, changes);
  else
    return query select * from books.post_one_by_one(p_now, p_adjustment_limit, frozen, p_requests);
  end if;
end $$;
alter function books.post_batch owner to holdfast_books;
revoke execute on function books.post_batch from public;
grant execute on function books.post_batch to holdfast_api;
