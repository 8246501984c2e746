-- Repays the user's debt in this currency from what is available and confirmed, as far as both go. Returns the
-- amount. Accounts are locked in this order: the user's, which the caller has locked, then the debt.
create or replace function books.repay_debt(p_now timestamptz, p_account bigint, p_subject text,
  p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account;
  debt account;
  amount bigint;
  new_entry entry;
begin
  select * into payer from account where id = p_account;
  select * into debt from account
  where marketplace_id = payer.marketplace_id and kind = 'debt' and owner_id = payer.owner_id
    and currency = payer.currency
  for no key update;
  if not found then return 0; end if;
  amount := least(payer.available - payer.unconfirmed, -debt.available);
  if amount <= 0 then return 0; end if;
  new_entry := books.post_entry(p_now, payer.marketplace_id, 'debt_repayment', payer.id, 'available',
    debt.id, 'available', amount, p_subject, p_actor, p_correlation, null, null);
  perform books.emit_posting(new_entry, 'balance.debited', payer.owner_id, new_id('aud', p_now),
    'DEBT_REPAID');
  perform books.emit_debt_event('user.debt_repaid', payer.owner_id, new_entry,
    -new_entry.to_available);
  return amount;
end $$;
alter function books.repay_debt owner to holdfast_books;
revoke execute on function books.repay_debt from public;
