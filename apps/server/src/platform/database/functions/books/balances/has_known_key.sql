-- Whether an Idempotency-Key or a reference of this batch was seen before, or a reference comes
-- twice in it. A key never comes twice: the queue refuses the second while the first is on its way.
create or replace function books.has_known_key(p_requests books.posting_request[])
returns boolean
language plpgsql stable as $$
begin
  if exists (
    select from unnest(p_requests) request
    join idempotency seen on seen.marketplace_id = request.marketplace_id
      and seen.scope_hash = request.scope_hash) then
    return true;
  end if;
  if not exists (select from unnest(p_requests) where reference is not null) then
    return false;
  end if;
  return exists (
    select from unnest(p_requests) request
    join entry_reference seen on seen.marketplace_id = request.marketplace_id
      and seen.user_id = request.owner_id and seen.reference = request.reference)
  or exists (
    select from unnest(p_requests) where reference is not null
    group by marketplace_id, owner_id, reference having count(*) > 1);
end $$;
alter function books.has_known_key owner to holdfast_books;
revoke execute on function books.has_known_key from public;
