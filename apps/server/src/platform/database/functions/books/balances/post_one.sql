-- One balance request, decided exactly: lock, look its keys up, check, move.
create or replace function books.post_one(p_now timestamptz, p_adjustment_limit bigint,
  p_frozen bigint[], p_item int, p_request books.posting_request)
returns books.outcome
language plpgsql as $$
declare
  holder account := books.lock_holder(p_request);
  request books.posting_request := p_request;
  outcome books.outcome;
  refusal books.posting_refusal;
begin
  -- Its audit rows have both by default.
  perform set_config('app.address', coalesce(request.address, ''), true),
    set_config('app.user_agent', coalesce(request.user_agent, ''), true);
  -- Looked up under the account's lock: a twin of this request has committed or will wait for us.
  outcome := books.find_by_key(request);
  if outcome.result is null then
    outcome := books.find_by_reference(request, holder.owner_id);
    -- A repetition returns what was done before. The refusal is not stored: the stop will be lifted.
    if outcome.result is null and request.marketplace_id = any (p_frozen) then
      outcome := books.refuse_frozen(request.marketplace_id);
      outcome.item := p_item;
      return outcome;
    end if;
    if outcome.result is null then
      if request.kind = 'cancel' then
        request.amount := books.manually_held(holder, request.subject_id);
      end if;
      refusal := books.check_posting(request, holder, p_adjustment_limit);
      if refusal.code is null then
        outcome := books.carry_out(p_now, request, holder);
      else
        outcome.result := 'refused';
        outcome.refusal := refusal.code;
        outcome.refusal_available := refusal.current_amount;
        outcome.refusal_reason := refusal.reason;
      end if;
    end if;
    perform books.store_idempotency(p_now, request, outcome);
  end if;
  outcome.item := p_item;
  return outcome;
end $$;
alter function books.post_one owner to holdfast_books;
revoke execute on function books.post_one from public;
