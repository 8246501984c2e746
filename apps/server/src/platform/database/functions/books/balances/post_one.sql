-- One balance request, decided exactly: lock, read its keys, check, move, hold, event, audit.
create or replace function books.post_one(p_now timestamptz, p_default_limit bigint, p_item int,
  p_kind text, p_marketplace bigint, p_account bigint, p_house bigint, p_amount bigint,
  p_subject text, p_actor text, p_correlation text, p_reference text, p_note text,
  p_idempotency uuid, p_request uuid, p_audit text, p_reservation text) returns books.outcome
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  answer books.outcome;
  seen record;
  holder account;
  house account;
  why record;
  amount bigint := p_amount;
  made entry;
begin
  answer.item := p_item;
  select * into holder from account where id = p_account for no key update;
  if holder.marketplace_id is distinct from p_marketplace or holder.kind <> 'user' then
    raise exception 'account % is not of marketplace %', p_account, p_marketplace;
  end if;

  select * into house from account where id = p_house;
  if (p_house is not null) <> (p_kind in ('credit', 'debit', 'spend'))
    or (p_house is not null and (house.marketplace_id, house.kind, house.currency)
      is distinct from (p_marketplace, 'adjustments', holder.currency)) then
    raise exception 'account % is not the other side of a % here', p_house, p_kind;
  end if;

  -- Looked up under the account's lock: a twin of this request has committed or will wait for us.
  if p_idempotency is not null then
    select * into seen from idempotency
    where marketplace_id = p_marketplace and scope_hash = p_idempotency;
    if found then
      answer.result := 'replayed';
      answer.entry_id := seen.entry_id;
      answer.request_hash := seen.request_hash;
      answer.refusal := seen.refusal;
      answer.refusal_have := seen.refusal_have;
      answer.refusal_reason := seen.refusal_reason;
      return answer;
    end if;
  end if;

  if p_reference is not null then
    select * into seen from entry_reference
    where marketplace_id = p_marketplace and user_id = holder.owner_id and reference = p_reference;
    if found then
      answer.result := 'repeated';
      answer.entry_id := seen.entry_id;
      answer.request_hash := seen.request_hash;
      -- Same content: the key is bound to the first entry. Other content: to a refusal.
      if seen.request_hash <> p_request then answer.refusal := 'REFERENCE_REUSED'; end if;
      perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
      return answer;
    end if;
  end if;

  if p_kind = 'cancel' then
    select coalesce(sum(remaining), 0) into amount from reservation
    where marketplace_id = p_marketplace and account_id = p_account and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject;
  end if;
  select * into why from books.why_refused(p_kind, holder, p_house, p_subject, amount, p_default_limit);
  if why.refusal is not null then
    answer.result := 'refused';
    answer.refusal := why.refusal;
    answer.refusal_have := why.have;
    answer.refusal_reason := why.reason;
    perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
    return answer;
  end if;

  if p_kind in ('unreserve', 'spend', 'cancel')
    and not books.use_manual_holds(p_marketplace, p_account, p_subject, amount) then
    raise exception 'holds of account % changed under its lock', p_account;
  end if;
  made := books.move(p_now, p_marketplace, case p_kind when 'cancel' then 'unreserve' else p_kind end,
    case p_kind when 'credit' then p_house else p_account end,
    case when p_kind in ('unreserve', 'spend', 'cancel') then 'reserved' else 'available' end,
    case when p_kind in ('debit', 'spend') then p_house else p_account end,
    case when p_kind = 'reserve' then 'reserved' else 'available' end,
    amount, p_subject, p_actor, p_correlation, p_reference, p_note);
  if p_kind = 'reserve' then
    insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
      entry_id, created_at)
    values (p_marketplace, p_reservation, p_account, 'manual', p_subject, amount, amount, made.id, p_now);
  end if;
  if p_reference is not null then
    insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
    values (p_marketplace, holder.owner_id, p_reference, p_request, made.id);
  end if;
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_marketplace, books.event_of(p_kind), holder.owner_id, made.id, p_audit, p_actor,
    p_correlation);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id)
  values (p_marketplace, p_audit, p_now, books.audit_action_of(p_kind), 'Balance', holder.owner_id,
    books.actor_type_of(p_actor), p_actor, 'SUCCESS', p_note, p_correlation, made.id);
  answer.result := 'done';
  answer.entry_id := made.id;
  answer.available := coalesce(made.to_available, made.from_available);
  answer.reserved := coalesce(made.to_reserved, made.from_reserved);
  perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
  return answer;
end $$;
alter function books.post_one owner to holdfast_books;
revoke execute on function books.post_one from public;
grant execute on function books.post_one to holdfast_app;
