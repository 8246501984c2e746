-- Binds an Idempotency-Key to its result. When a twin of the request was faster, the whole call
-- starts over.
create or replace function books.remember(p_now timestamptz, p_marketplace bigint,
  p_idempotency uuid, p_request uuid, p_answer books.outcome) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_idempotency is null then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id, refusal,
    refusal_have, refusal_reason)
  values (p_marketplace, p_idempotency, p_request, p_now,
    case when p_answer.refusal is null then p_answer.entry_id end,
    p_answer.refusal, p_answer.refusal_have, p_answer.refusal_reason)
  on conflict do nothing;
  if not found then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.remember owner to holdfast_books;
revoke execute on function books.remember from public;
