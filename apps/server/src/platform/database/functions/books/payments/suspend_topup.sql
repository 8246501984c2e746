-- Puts into suspense the difference between the amount that came in and the amount that was
-- credited. Returns the amount in suspense.
create or replace function books.suspend_topup(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked topup := books.lock_topup(p_topup);
  is_same constant boolean := asked.received_currency = asked.currency;
  target constant bigint := asked.received - case when is_same then asked.credited else 0 end;
begin
  if asked.received is null or (not is_same and asked.credited > 0) then
    raise exception 'top-up % has nothing to suspend', p_topup;
  end if;
  if asked.suspended_currency <> asked.received_currency then
    perform books.move_topup_suspense(p_now, asked.marketplace_id, asked.id, asked.suspended_currency,
      -asked.suspended, p_actor, p_correlation);
    asked.suspended := 0;
  end if;
  perform books.move_topup_suspense(p_now, asked.marketplace_id, asked.id, asked.received_currency,
    target - asked.suspended, p_actor, p_correlation);
  update topup set suspended = target, suspended_currency = asked.received_currency
  where marketplace_id = asked.marketplace_id and id = asked.id;
  return target;
end $$;
alter function books.suspend_topup owner to holdfast_books;
revoke execute on function books.suspend_topup from public;
grant execute on function books.suspend_topup to holdfast_app;
