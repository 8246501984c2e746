-- The journal of a batch of credits, debits and holds, and one part for each of its house accounts.
create or replace function books.insert_entries(p_now timestamptz,
  p_requests books.posting_request[], p_posted books.posted_entry[])
returns void
language plpgsql as $$
begin
  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  select marketplace_id, entry_id, kind, currency, amount,
    case kind when 'credit' then house_account_id else account_id end, 'available',
    case kind when 'debit' then house_account_id else account_id end,
    case kind when 'reserve' then 'reserved' else 'available' end,
    case when kind <> 'credit' then seq end,
    case when kind <> 'credit' then available end,
    case when kind <> 'credit' then reserved end,
    case when kind = 'credit' then seq end,
    case when kind = 'credit' then available end,
    case when kind = 'credit' then reserved end,
    subject_id, actor_id, correlation_id, reference, note, p_now
  from unnest(p_requests, p_posted);

  insert into house_delta (marketplace_id, account_id, delta)
  select marketplace_id, house_account_id, sum(case kind when 'credit' then -amount else amount end)
  from unnest(p_requests)
  where house_account_id is not null group by marketplace_id, house_account_id;
end $$;
alter function books.insert_entries owner to holdfast_books;
revoke execute on function books.insert_entries from public;
