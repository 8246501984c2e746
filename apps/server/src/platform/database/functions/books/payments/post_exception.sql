-- Makes the books agree with the provider's records, once for each exception. Amount, currency and
-- account come from the exception, which an operator has just resolved with a reason.
create or replace function books.post_exception(p_now timestamptz, p_exception text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seen reconciliation_exception;
  moved bigint;
  clearing bigint;
  other bigint;
  payee account;
  made entry;
begin
  select * into seen from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception
  for update;
  if not found or seen.status <> 'RESOLVED' or seen.posted is not null or seen.clearing is null then
    raise exception 'exception % is not there to be posted', p_exception;
  end if;
  if seen.stroops = 0 or seen.stroops % 100000 <> 0 then
    raise exception 'exception % is no whole number of cents', p_exception;
  end if;
  moved := seen.stroops / 100000;
  clearing := books.house_account(p_now, seen.clearing, seen.currency);
  other := books.house_account(p_now,
    case seen.action when 'WRITE_OFF' then 'provider_fees' else 'suspense' end, seen.currency);
  made := books.post_entry(p_now, seen.marketplace_id,
    case seen.action when 'WRITE_OFF' then 'exception_write_off' else 'exception_suspense' end,
    case when moved > 0 then clearing else other end, 'available',
    case when moved > 0 then other else clearing end, 'available',
    abs(moved), seen.id, p_actor, p_correlation, null, seen.reason);
  if seen.action = 'CREDIT_USER' then
    if moved < 0 then raise exception 'exception % has nothing to credit', p_exception; end if;
    payee := books.lock_user_account(p_now, seen.credited_user_id, seen.currency);
    made := books.post_entry(p_now, seen.marketplace_id, 'exception_credit', other, 'available',
      payee.id, 'available', moved, seen.id, p_actor, p_correlation, null, seen.reason);
    perform books.emit_balance_event('balance.credited', seen.credited_user_id, made);
  elsif seen.action not in ('BOOK_TO_SUSPENSE', 'WRITE_OFF') then
    raise exception 'exception % is not resolved by a posting', p_exception;
  end if;
  update reconciliation_exception set posted = moved
  where marketplace_id = seen.marketplace_id and id = seen.id;
  return moved;
end $$;
alter function books.post_exception owner to holdfast_books;
revoke execute on function books.post_exception from public;
grant execute on function books.post_exception to holdfast_app;
