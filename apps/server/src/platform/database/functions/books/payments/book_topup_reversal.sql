-- Takes back from the user what the payer's bank has taken back from the platform, as the provider's
-- record shows it; or pays it again where the reversal was undone. Posts the difference to what was
-- posted before.
create or replace function books.book_topup_reversal(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  clearing bigint := books.house_account(p_now, 'payment_clearing', topup_row.currency);
begin
  if topup_row.reversed > topup_row.booked_reversal then
    -- What was never confirmed is taken back first.
    perform books.lift_lien(p_now, topup_row.id);
    perform books.charge_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.reversed - topup_row.booked_reversal, clearing, 'topup_reversal', 'topup_debt',
      topup_row.id, p_actor, p_correlation);
  elsif topup_row.reversed < topup_row.booked_reversal then
    perform books.pay_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.booked_reversal - topup_row.reversed, clearing, 'topup_reinstated', topup_row.id,
      p_actor, p_correlation);
  end if;
  update topup set booked_reversal = topup_row.reversed
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
end $$;
alter function books.book_topup_reversal owner to holdfast_books;
revoke execute on function books.book_topup_reversal from public;
grant execute on function books.book_topup_reversal to holdfast_api, holdfast_worker;
