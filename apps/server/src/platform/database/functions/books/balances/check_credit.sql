-- A credit stays below the ceiling of its account, and within the limit of its marketplace.
create or replace function books.check_credit(p_request books.posting_request, p_holder account,
  p_adjustment_limit bigint)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
  allowed bigint;
begin
  if p_holder.available + p_holder.reserved + p_request.amount > books.balance_ceiling() then
    refusal.code := 'BALANCE_CEILING';
    return refusal;
  end if;
  select limit_minor into allowed from adjustment_limit
  where marketplace_id = p_holder.marketplace_id and currency = p_holder.currency;
  -- A row without a limit lifts the default.
  if not found then allowed := p_adjustment_limit; end if;
  if allowed is null then return refusal; end if;

  -- One credit at a time where a limit stands, so that two can't both take the last of it.
  perform pg_advisory_xact_lock(p_request.house_account_id);
  select -coalesce(sum(delta), 0) into refusal.current_amount from house_delta
  where marketplace_id = p_holder.marketplace_id and account_id = p_request.house_account_id;
  if refusal.current_amount + p_request.amount > allowed then
    refusal.code := 'ADJUSTMENT_LIMIT';
    refusal.reason := allowed::text;
  end if;
  return refusal;
end $$;
alter function books.check_credit owner to holdfast_books;
revoke execute on function books.check_credit from public;
