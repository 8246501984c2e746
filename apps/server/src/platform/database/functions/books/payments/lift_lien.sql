-- Lifts the lien of a top-up or a withdrawal, which the caller has locked. Returns it; without an
-- amount when none is open.
create or replace function books.lift_lien(p_now timestamptz, p_subject text) returns lien
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  open_lien lien;
begin
  select * into open_lien from lien
  where marketplace_id = current_setting('app.marketplace_id')::bigint and subject_id = p_subject
    and lifted_at is null;
  if not found then return null; end if;
  update account set unconfirmed = unconfirmed - open_lien.amount where id = open_lien.account_id;
  update lien set lifted_at = p_now
  where marketplace_id = open_lien.marketplace_id and subject_id = p_subject;
  return open_lien;
end $$;
alter function books.lift_lien owner to holdfast_books;
revoke execute on function books.lift_lien from public;
