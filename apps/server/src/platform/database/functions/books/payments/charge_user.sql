-- Takes an amount from a user for a house account. What is available and confirmed goes first; the
-- rest becomes the user's debt, so the house account always gets the whole amount.
create or replace function books.charge_user(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_house_account bigint, p_kind text, p_debt_kind text, p_subject text,
  p_actor text, p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account := books.lock_user_account(p_now, p_user, p_currency);
  paid constant bigint := least(payer.available - payer.unconfirmed, p_amount);
  new_entry entry;
begin
  if paid > 0 then
    new_entry := books.post_entry(p_now, payer.marketplace_id, p_kind, payer.id, 'available',
      p_house_account, 'available', paid, p_subject, p_actor, p_correlation, null, null);
    perform books.emit_balance_event('balance.debited', p_user, new_entry);
  end if;
  if paid < p_amount then
    new_entry := books.post_entry(p_now, payer.marketplace_id, p_debt_kind,
      books.open_account(payer.marketplace_id, 'debt', p_user, p_currency, p_now), 'available',
      p_house_account, 'available', p_amount - paid, p_subject, p_actor, p_correlation, null, null);
    perform books.emit_debt_event('user.debt_opened', p_user, new_entry, -new_entry.from_available);
  end if;
end $$;
alter function books.charge_user owner to holdfast_books;
revoke execute on function books.charge_user from public;
