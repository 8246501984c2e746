-- The outcome that a request's Idempotency-Key stands for; without result if it is new.
create or replace function books.find_by_key(p_request books.posting_request)
returns books.outcome
language plpgsql as $$
declare
  stored_key idempotency;
  outcome books.outcome;
begin
  if p_request.scope_hash is null then return outcome; end if;
  select * into stored_key from idempotency
  where marketplace_id = p_request.marketplace_id and scope_hash = p_request.scope_hash;
  if found then
    outcome.result := 'replayed';
    outcome.entry_id := stored_key.entry_id;
    outcome.request_hash := stored_key.request_hash;
    outcome.refusal := stored_key.refusal;
    outcome.refusal_available := stored_key.refusal_available;
    outcome.refusal_reason := stored_key.refusal_reason;
  end if;
  return outcome;
end $$;
alter function books.find_by_key owner to holdfast_books;
revoke execute on function books.find_by_key from public;
