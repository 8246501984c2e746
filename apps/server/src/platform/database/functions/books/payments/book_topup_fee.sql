-- Posts the provider's fee on a top-up as its record shows it: the difference to what was posted
-- before. Where the user bears the fee, the user is charged too, as far as there was a credit.
create or replace function books.book_topup_fee(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  whole_fee constant bigint := coalesce(topup_row.fee, 0);
  charge constant bigint :=
    case when topup_row.fee_paid_by = 'USER' and topup_row.credited > 0 then whole_fee else 0 end;
  clearing bigint := books.house_account(p_now, 'payment_clearing', topup_row.currency);
  fees bigint := books.house_account(p_now, 'payment_fees', topup_row.currency);
begin
  if whole_fee > topup_row.booked_fee then
    perform books.post_entry(p_now, topup_row.marketplace_id, 'topup_fee', fees, 'available',
      clearing, 'available', whole_fee - topup_row.booked_fee, topup_row.id, p_actor, p_correlation,
      null, null);
  elsif whole_fee < topup_row.booked_fee then
    perform books.post_entry(p_now, topup_row.marketplace_id, 'topup_fee_return', clearing,
      'available', fees, 'available', topup_row.booked_fee - whole_fee, topup_row.id, p_actor,
      p_correlation, null, null);
  end if;
  if charge > topup_row.charged_fee then
    perform books.charge_user(p_now, topup_row.user_id, topup_row.currency,
      charge - topup_row.charged_fee, fees, 'topup_fee_charge', 'topup_debt', topup_row.id,
      p_actor, p_correlation);
  elsif charge < topup_row.charged_fee then
    perform books.pay_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.charged_fee - charge, fees, 'topup_fee_refund', topup_row.id, p_actor,
      p_correlation);
  end if;
  update topup set booked_fee = whole_fee, charged_fee = charge
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
end $$;
alter function books.book_topup_fee owner to holdfast_books;
revoke execute on function books.book_topup_fee from public;
grant execute on function books.book_topup_fee to holdfast_api, holdfast_worker;
