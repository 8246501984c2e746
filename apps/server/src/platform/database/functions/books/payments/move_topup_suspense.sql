-- Moves an amount from the payment provider's clearing account to suspense; a negative amount moves
-- back.
create or replace function books.move_topup_suspense(p_now timestamptz, p_marketplace bigint,
  p_topup text, p_currency text, p_amount bigint, p_actor text, p_correlation text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  clearing bigint := books.house_account(p_now, 'payment_clearing', p_currency);
  suspense bigint := books.house_account(p_now, 'suspense', p_currency);
begin
  if p_amount > 0 then
    perform books.post_entry(p_now, p_marketplace, 'topup_suspense', clearing, 'available',
      suspense, 'available', p_amount, p_topup, p_actor, p_correlation, null, null);
  elsif p_amount < 0 then
    perform books.post_entry(p_now, p_marketplace, 'topup_suspense_return', suspense, 'available',
      clearing, 'available', -p_amount, p_topup, p_actor, p_correlation, null, null);
  end if;
end $$;
alter function books.move_topup_suspense owner to holdfast_books;
revoke execute on function books.move_topup_suspense from public;
