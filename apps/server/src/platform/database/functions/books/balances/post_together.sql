-- Posts a batch that plan_together has accepted, with a few statements for all of it. If another
-- transaction has changed one of its accounts or keys since then, the whole batch starts over, one
-- by one.
create or replace function books.post_together(p_now timestamptz,
  p_requests books.posting_request[], p_changes books.running_change[])
returns setof books.outcome
language plpgsql as $$
declare
  posted books.posted_entry[];
begin
  -- Accounts before keys, here as in post_one, so that the two never wait for each other.
  posted := books.update_accounts(p_now, p_requests, p_changes);
  perform books.store_keys(p_now, p_requests, posted);
  perform books.insert_entries(p_now, p_requests, posted);
  perform books.record_postings(p_now, p_requests, posted);
  return query
    select ordinality::int, 'done', entry_id, available, reserved, null::text, null::bigint,
      null::text, null::uuid
    from unnest(posted) with ordinality;
end $$;
alter function books.post_together owner to holdfast_books;
revoke execute on function books.post_together from public;
