-- Binds an Idempotency-Key to what came of it. A twin that was faster makes this call start over.
create or replace function books.store_idempotency(p_now timestamptz,
  p_request books.posting_request, p_outcome books.outcome)
returns void
language plpgsql as $$
begin
  if p_request.scope_hash is null then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id, refusal,
    refusal_available, refusal_reason)
  values (p_request.marketplace_id, p_request.scope_hash, p_request.request_hash, p_now,
    case when p_outcome.refusal is null then p_outcome.entry_id end,
    p_outcome.refusal, p_outcome.refusal_available, p_outcome.refusal_reason)
  on conflict do nothing;
  if not found then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_idempotency owner to holdfast_books;
revoke execute on function books.store_idempotency from public;
