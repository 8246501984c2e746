-- Credits the user with the top-up, once. Returns the balance that is available then.
create or replace function books.credit_topup(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  clearing bigint;
  payee account;
  new_entry entry;
begin
  if topup_row.status <> 'TOPUP_SUCCEEDED' or topup_row.credited <> 0 then
    raise exception 'top-up % is %, with % credited', p_topup, topup_row.status, topup_row.credited;
  end if;
  clearing := books.house_account(p_now, 'payment_clearing', topup_row.currency);
  payee := books.lock_user_account(p_now, topup_row.user_id, topup_row.currency);
  new_entry := books.post_entry(p_now, topup_row.marketplace_id, 'topup',
    clearing, 'available', payee.id, 'available',
    topup_row.amount, topup_row.id, p_actor, p_correlation, null, null);
  update topup set credited = amount
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
  perform books.emit_balance_event('balance.credited', topup_row.user_id, new_entry);
  return new_entry.to_available;
end $$;
alter function books.credit_topup owner to holdfast_books;
revoke execute on function books.credit_topup from public;
grant execute on function books.credit_topup to holdfast_app;
