-- Pays a user from a house account. An open debt is repaid from it first, unless the payment is
-- known by notification only. Returns the balance that is available then.
create or replace function books.pay_user(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_house_account bigint, p_kind text, p_subject text, p_actor text,
  p_correlation text, p_is_confirmed boolean default true)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payee account := books.lock_user_account(p_now, p_user, p_currency);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, payee.marketplace_id, p_kind, p_house_account, 'available',
    payee.id, 'available', p_amount, p_subject, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', p_user, new_entry);
  if not p_is_confirmed then perform books.open_lien(new_entry, payee.id); end if;
  return new_entry.to_available
    - books.repay_debt(p_now, payee.id, p_subject, p_actor, p_correlation);
end $$;
alter function books.pay_user owner to holdfast_books;
revoke execute on function books.pay_user from public;
