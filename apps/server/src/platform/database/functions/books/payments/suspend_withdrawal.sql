-- The provider has paid another sum than the books say: suspense takes the difference until an
-- operator has resolved it. Returns the difference; null when there is none.
create or replace function books.suspend_withdrawal(p_now timestamptz, p_withdrawal text,
  p_paid bigint, p_note text, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  clearing bigint := books.house_account(p_now, 'payment_clearing', withdrawal_row.currency);
  suspense bigint := books.house_account(p_now, 'suspense', withdrawal_row.currency);
  difference bigint := p_paid - withdrawal_row.paid;
begin
  if difference = 0 then return null; end if;
  perform books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_suspense',
    case when difference > 0 then suspense else clearing end, 'available',
    case when difference > 0 then clearing else suspense end, 'available',
    abs(difference), withdrawal_row.id, p_actor, p_correlation, null, p_note);
  update withdrawal set paid = p_paid
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  return difference;
end $$;
alter function books.suspend_withdrawal owner to holdfast_books;
revoke execute on function books.suspend_withdrawal from public;
grant execute on function books.suspend_withdrawal to holdfast_api, holdfast_worker;
