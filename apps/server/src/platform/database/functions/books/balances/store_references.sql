-- Binds the references of postings to their entries.
create or replace function books.store_references(p_requests books.posting_request[],
  p_posted books.posted_entry[])
returns void
language plpgsql as $$
declare
  reference_count constant bigint := (select count(reference) from unnest(p_requests));
  stored_count bigint;
begin
  if reference_count = 0 then return; end if;
  insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
  select marketplace_id, owner_id, reference, request_hash, entry_id
  from unnest(p_requests, p_posted)
  where reference is not null order by marketplace_id, owner_id, reference
  on conflict do nothing;
  get diagnostics stored_count = row_count;
  if stored_count <> reference_count then
    raise exception 'a reference was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_references owner to holdfast_books;
revoke execute on function books.store_references from public;
