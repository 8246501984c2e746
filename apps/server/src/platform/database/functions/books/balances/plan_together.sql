-- The changes of a batch whose requests can all be done, in their order. Null if one of them may be
-- refused or a repetition, or has to choose among holds.
--
-- Reads without locks, so that a batch that can't be posted together is not undone half-way. What
-- changes until post_together has its locks is detected there.
create or replace function books.plan_together(p_adjustment_limit bigint,
  p_requests books.posting_request[])
returns books.running_change[]
language plpgsql stable as $$
declare
  changes books.running_change[];
begin
  if exists (select from unnest(p_requests) where kind not in ('credit', 'debit', 'reserve')) then
    return null;
  end if;
  changes := books.running_changes(p_requests);
  if books.accounts_allow(p_requests, changes)
    and books.house_accounts_match(p_requests)
    and not books.has_adjustment_limit(p_adjustment_limit, p_requests)
    and not books.has_known_key(p_requests) then
    return changes;
  end if;
  return null;
end $$;
alter function books.plan_together owner to holdfast_books;
revoke execute on function books.plan_together from public;
