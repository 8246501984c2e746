-- How much the manual holds of an account with this tag hold.
create or replace function books.manually_held(p_holder account, p_subject text) returns bigint
language plpgsql as $$
begin
  return (
    select coalesce(sum(remaining), 0) from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject);
end $$;
alter function books.manually_held owner to holdfast_books;
revoke execute on function books.manually_held from public;
