-- Credits the user with the top-up, once; with a lien where only a notification reports the payment.
-- Returns the balance that is available then.
create or replace function books.credit_topup(p_now timestamptz, p_topup text,
  p_is_confirmed boolean, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  available bigint;
begin
  if topup_row.status <> 'TOPUP_SUCCEEDED' or topup_row.credited <> 0 then
    raise exception 'top-up % is %, with % credited', p_topup, topup_row.status, topup_row.credited;
  end if;
  available := books.pay_user(p_now, topup_row.user_id, topup_row.currency, topup_row.amount,
    books.house_account(p_now, 'payment_clearing', topup_row.currency), 'topup', topup_row.id,
    p_actor, p_correlation, p_is_confirmed);
  update topup set credited = amount
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
  return available;
end $$;
alter function books.credit_topup owner to holdfast_books;
revoke execute on function books.credit_topup from public;
grant execute on function books.credit_topup to holdfast_api, holdfast_worker;
