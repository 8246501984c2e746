-- Binds the Idempotency-Keys of a batch to the entries that came of them.
create or replace function books.store_keys(p_now timestamptz, p_requests books.posting_request[],
  p_posted books.posted_entry[])
returns void
language plpgsql as $$
declare
  key_count constant bigint := (select count(scope_hash) from unnest(p_requests));
  stored_count bigint;
begin
  if key_count = 0 then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id)
  select marketplace_id, scope_hash, request_hash, p_now, entry_id
  from unnest(p_requests, p_posted)
  where scope_hash is not null order by marketplace_id, scope_hash
  on conflict do nothing;
  get diagnostics stored_count = row_count;
  if stored_count <> key_count then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_keys owner to holdfast_books;
revoke execute on function books.store_keys from public;
