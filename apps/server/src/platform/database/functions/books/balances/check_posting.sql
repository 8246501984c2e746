-- Why a balance request can't be done, or nothing. The account's row is locked by the caller.
create or replace function books.check_posting(p_request books.posting_request, p_holder account,
  p_adjustment_limit bigint)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
begin
  if p_request.kind = 'credit' then
    return books.check_credit(p_request, p_holder, p_adjustment_limit);
  elsif p_request.kind in ('debit', 'reserve') then
    if p_holder.available - p_holder.unconfirmed < p_request.amount then
      refusal.code := 'INSUFFICIENT_FUNDS';
      refusal.current_amount := p_holder.available;
      refusal.reason := books.unconfirmed_reason(p_holder, p_request.amount)::text;
    end if;
    return refusal;
  end if;
  return books.check_holds(p_request, p_holder);
end $$;
alter function books.check_posting owner to holdfast_books;
revoke execute on function books.check_posting from public;
