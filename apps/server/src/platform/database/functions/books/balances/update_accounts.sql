-- Moves every account of a batch to where its requests take it, in id order, which is the order in
-- which everybody locks. Returns, request by request, the entry's id and the account after it.
create or replace function books.update_accounts(p_now timestamptz,
  p_requests books.posting_request[], p_changes books.running_change[])
returns books.posted_entry[]
language plpgsql as $$
declare
  first_id constant bigint := books.entry_id_floor(p_now);
  account_count bigint;
  -- Before the batch, by rank.
  available_before bigint[];
  reserved_before bigint[];
  version_before bigint[];
begin
  with total as materialized (
    select account_id, count(*) as entries,
      min(available_delta) as lowest_delta,
      max(available_delta + reserved_delta) as highest_delta,
      (array_agg(available_delta order by request_number desc))[1] as available_delta,
      (array_agg(reserved_delta order by request_number desc))[1] as reserved_delta
    from unnest(p_requests, p_changes) group by account_id order by account_id),
  updated as (
    update account holder set available = holder.available + total.available_delta,
      reserved = holder.reserved + total.reserved_delta,
      version = holder.version + total.entries, updated_at = p_now
    from total
    -- Again, now that the row is locked.
    where holder.id = total.account_id
      and holder.available - holder.unconfirmed + total.lowest_delta >= 0
      and holder.available + holder.reserved + total.highest_delta <= books.balance_ceiling()
    returning holder.id, holder.available - total.available_delta as available,
      holder.reserved - total.reserved_delta as reserved,
      holder.version - total.entries as version)
  select (select count(*) from total), array_agg(available order by id),
    array_agg(reserved order by id), array_agg(version order by id)
  into account_count, available_before, reserved_before, version_before
  from updated;
  if cardinality(version_before) is distinct from account_count then
    raise exception 'a balance left its bounds meanwhile' using errcode = 'HF001';
  end if;
  return array(
    select row(books.next_entry_id(first_id), version_before[account_rank] + request_number,
      available_before[account_rank] + available_delta,
      reserved_before[account_rank] + reserved_delta)::books.posted_entry
    from unnest(p_changes));
end $$;
alter function books.update_accounts owner to holdfast_books;
revoke execute on function books.update_accounts from public;
