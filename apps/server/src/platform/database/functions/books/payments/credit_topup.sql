-- Credits the user with the top-up, once. Returns the balance that is available then.
create or replace function books.credit_topup(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked topup := books.lock_topup(p_topup);
  clearing bigint;
  payee account;
  made entry;
begin
  if asked.status <> 'TOPUP_SUCCEEDED' or asked.credited <> 0 then
    raise exception 'top-up % is %, with % credited', p_topup, asked.status, asked.credited;
  end if;
  clearing := books.house_account(p_now, 'payment_clearing', asked.currency);
  payee := books.lock_user_account(p_now, asked.user_id, asked.currency);
  made := books.post_entry(p_now, asked.marketplace_id, 'topup', clearing, 'available',
    payee.id, 'available', asked.amount, asked.id, p_actor, p_correlation, null, null);
  update topup set credited = amount where marketplace_id = asked.marketplace_id and id = asked.id;
  perform books.emit_balance_event('balance.credited', asked.user_id, made);
  return made.to_available;
end $$;
alter function books.credit_topup owner to holdfast_books;
revoke execute on function books.credit_topup from public;
grant execute on function books.credit_topup to holdfast_app;
