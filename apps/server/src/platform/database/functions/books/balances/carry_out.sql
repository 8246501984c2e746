-- Carries out one request that has passed its checks, with its account locked.
create or replace function books.carry_out(p_now timestamptz, p_request books.posting_request,
  p_holder account)
returns books.outcome
language plpgsql as $$
declare
  takes_holds constant boolean := p_request.kind in ('unreserve', 'spend', 'cancel');
  new_entry entry;
  outcome books.outcome;
begin
  if takes_holds and not books.consume_manual_holds(p_holder, p_request.subject_id, p_request.amount)
  then
    raise exception 'holds of account % changed under its lock', p_holder.id;
  end if;
  new_entry := books.post_entry(p_now, p_request.marketplace_id,
    case p_request.kind when 'cancel' then 'unreserve' else p_request.kind end,
    case p_request.kind when 'credit' then p_request.house_account_id else p_holder.id end,
    case when takes_holds then 'reserved' else 'available' end,
    case when p_request.kind in ('debit', 'spend') then p_request.house_account_id else p_holder.id end,
    case p_request.kind when 'reserve' then 'reserved' else 'available' end,
    p_request.amount, p_request.subject_id, p_request.actor_id, p_request.correlation_id,
    p_request.reference, p_request.note);
  perform books.record_posting(p_request, p_holder, new_entry);
  outcome.result := 'done';
  outcome.entry_id := new_entry.id;
  outcome.available := coalesce(new_entry.to_available, new_entry.from_available);
  outcome.reserved := coalesce(new_entry.to_reserved, new_entry.from_reserved);
  return outcome;
end $$;
alter function books.carry_out owner to holdfast_books;
revoke execute on function books.carry_out from public;
