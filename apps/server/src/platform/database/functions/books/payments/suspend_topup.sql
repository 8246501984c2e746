-- Puts into suspense the difference between the amount that came in and the amount that was
-- credited. Returns the amount in suspense.
create or replace function books.suspend_topup(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  is_same constant boolean := topup_row.received_currency = topup_row.currency;
  target constant bigint :=
    topup_row.received - case when is_same then topup_row.credited else 0 end;
begin
  if topup_row.received is null or (not is_same and topup_row.credited > 0) then
    raise exception 'top-up % has nothing to suspend', p_topup;
  end if;
  if topup_row.suspended_currency <> topup_row.received_currency then
    perform books.move_topup_suspense(p_now, topup_row.marketplace_id, topup_row.id,
      topup_row.suspended_currency, -topup_row.suspended, p_actor, p_correlation);
    topup_row.suspended := 0;
  end if;
  perform books.move_topup_suspense(p_now, topup_row.marketplace_id, topup_row.id,
    topup_row.received_currency, target - topup_row.suspended, p_actor, p_correlation);
  update topup set suspended = target, suspended_currency = topup_row.received_currency
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
  return target;
end $$;
alter function books.suspend_topup owner to holdfast_books;
revoke execute on function books.suspend_topup from public;
grant execute on function books.suspend_topup to holdfast_api, holdfast_worker;
