-- What this entry made available is known by notification only: it can't be taken until its lien is
-- lifted. The caller has locked the account.
create or replace function books.open_lien(p_entry entry, p_account bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into lien (marketplace_id, subject_id, account_id, amount, opened_at)
  values (p_entry.marketplace_id, p_entry.subject_id, p_account, p_entry.amount, p_entry.created_at);
  update account set unconfirmed = unconfirmed + p_entry.amount where id = p_account;
end $$;
alter function books.open_lien owner to holdfast_books;
revoke execute on function books.open_lien from public;
