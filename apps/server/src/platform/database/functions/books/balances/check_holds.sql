-- What frees or spends held money takes no more than the manual holds with its tag.
create or replace function books.check_holds(p_request books.posting_request, p_holder account)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
begin
  refusal.current_amount := books.manually_held(p_holder, p_request.subject_id);
  if refusal.current_amount >= p_request.amount and refusal.current_amount > 0 then
    return refusal;
  end if;

  refusal.code := case p_request.kind when 'unreserve' then 'RESERVATION_EXCEEDED'
    when 'spend' then 'INVALID_RESERVED_DEDUCTION' else 'RESERVATION_NOT_FOUND' end;
  -- Who holds the money that the caller may not touch.
  select owner || coalesce(' ' || subject_id, '') into refusal.reason from reservation
  where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
    and not (owner = 'manual' and subject_id is not distinct from p_request.subject_id)
  order by subject_id is not distinct from p_request.subject_id desc, owner = 'manual', id limit 1;
  return refusal;
end $$;
alter function books.check_holds owner to holdfast_books;
revoke execute on function books.check_holds from public;
