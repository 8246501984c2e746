-- What every posting leaves behind besides its entry: its reference, its hold, its event and its
-- audit row.
create or replace function books.record_postings(p_now timestamptz,
  p_requests books.posting_request[], p_posted books.posted_entry[])
returns void
language plpgsql as $$
begin
  perform books.store_references(p_requests, p_posted);

  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  select marketplace_id, reservation_id, account_id, 'manual', subject_id, amount, amount, entry_id,
    p_now
  from unnest(p_requests, p_posted) where kind = 'reserve';

  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  select marketplace_id, books.event_type_of(kind), owner_id, entry_id, audit_id, actor_id, correlation_id
  from unnest(p_requests, p_posted);

  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id, address, user_agent)
  select marketplace_id, audit_id, p_now, books.audit_action_of(kind), 'Balance', owner_id,
    books.actor_type_of(actor_id), actor_id, 'SUCCESS', note, correlation_id, entry_id, address,
    user_agent
  from unnest(p_requests, p_posted);
end $$;
alter function books.record_postings owner to holdfast_books;
revoke execute on function books.record_postings from public;
