-- What one posting leaves behind besides its entry: its reference, its hold, its event and its audit
-- row. The same as record_postings, which costs a single request more.
create or replace function books.record_posting(p_request books.posting_request, p_holder account,
  p_entry entry)
returns void
language plpgsql as $$
begin
  if p_request.reference is not null then
    insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
    values (p_entry.marketplace_id, p_holder.owner_id, p_request.reference, p_request.request_hash,
      p_entry.id)
    on conflict do nothing;
    -- By a twin for another account of this user: only accounts are locked.
    if not found then
      raise exception 'a reference was claimed meanwhile' using errcode = 'HF001';
    end if;
  end if;
  if p_request.kind = 'reserve' then
    insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
      entry_id, created_at)
    values (p_entry.marketplace_id, p_request.reservation_id, p_holder.id, 'manual',
      p_request.subject_id, p_entry.amount, p_entry.amount, p_entry.id, p_entry.created_at);
  end if;
  perform books.emit_posting(p_entry, books.event_type_of(p_request.kind), p_holder.owner_id,
    p_request.audit_id, books.audit_action_of(p_request.kind), p_entry.note);
end $$;
alter function books.record_posting owner to holdfast_books;
revoke execute on function books.record_posting from public;
