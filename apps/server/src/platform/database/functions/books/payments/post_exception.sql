-- Makes the books agree with the provider's records, once for each exception. Amount, currency and
-- account come from the exception, which an operator has just resolved with a reason.
create or replace function books.post_exception(p_now timestamptz, p_exception text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  exception_row reconciliation_exception;
  amount_to_post bigint;
  clearing bigint;
  other_account bigint;
  payee account;
  new_entry entry;
begin
  select * into exception_row from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception
  for update;
  if not found or exception_row.status <> 'RESOLVED' or exception_row.posted is not null
    or exception_row.clearing is null then
    raise exception 'exception % is not there to be posted', p_exception;
  end if;
  if exception_row.stroops = 0 or exception_row.stroops % 100000 <> 0 then
    raise exception 'exception % is no whole number of cents', p_exception;
  end if;
  amount_to_post := exception_row.stroops / 100000;
  clearing := books.house_account(p_now, exception_row.clearing, exception_row.currency);
  other_account := books.house_account(p_now,
    case exception_row.action when 'WRITE_OFF' then 'provider_fees' else 'suspense' end,
    exception_row.currency);
  new_entry := books.post_entry(p_now, exception_row.marketplace_id,
    case exception_row.action when 'WRITE_OFF' then 'exception_write_off'
      else 'exception_suspense' end,
    case when amount_to_post > 0 then clearing else other_account end, 'available',
    case when amount_to_post > 0 then other_account else clearing end, 'available',
    abs(amount_to_post), exception_row.id, p_actor, p_correlation, null, exception_row.reason);
  if exception_row.action = 'CREDIT_USER' then
    if amount_to_post < 0 then
      raise exception 'exception % has nothing to credit', p_exception;
    end if;
    payee := books.lock_user_account(p_now, exception_row.user_id, exception_row.currency);
    new_entry := books.post_entry(p_now, exception_row.marketplace_id, 'exception_credit',
      other_account, 'available', payee.id, 'available',
      amount_to_post, exception_row.id, p_actor, p_correlation, null, exception_row.reason);
    perform books.emit_balance_event('balance.credited', exception_row.user_id, new_entry);
  elsif exception_row.action = 'CHARGE_USER' then
    if amount_to_post > 0 then
      raise exception 'exception % has nothing to charge', p_exception;
    end if;
    perform books.charge_user(p_now, exception_row.user_id, exception_row.currency, -amount_to_post,
      other_account, 'exception_charge', 'exception_debt', exception_row.id, p_actor, p_correlation);
  elsif exception_row.action not in ('BOOK_TO_SUSPENSE', 'WRITE_OFF') then
    raise exception 'exception % is not resolved by a posting', p_exception;
  end if;
  update reconciliation_exception set posted = amount_to_post
  where marketplace_id = exception_row.marketplace_id and id = exception_row.id;
  return amount_to_post;
end $$;
alter function books.post_exception owner to holdfast_books;
revoke execute on function books.post_exception from public;
grant execute on function books.post_exception to holdfast_api;
