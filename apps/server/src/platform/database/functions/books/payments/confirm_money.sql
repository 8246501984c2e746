-- The provider's record confirms the money of a top-up or a withdrawal: it can be taken from now on,
-- and an open debt is repaid from it first. Returns the amount; null when it was confirmed before.
create or replace function books.confirm_money(p_now timestamptz, p_subject text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  lifted constant lien := books.lift_lien(p_now, p_subject);
begin
  if lifted.amount is null then return null; end if;
  perform books.repay_debt(p_now, lifted.account_id, p_subject, p_actor, p_correlation);
  return lifted.amount;
end $$;
alter function books.confirm_money owner to holdfast_books;
revoke execute on function books.confirm_money from public;
grant execute on function books.confirm_money to holdfast_api, holdfast_worker;
