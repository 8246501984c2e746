-- Takes an amount out of the manual holds with this tag, oldest first. False when they hold less.
create or replace function books.consume_manual_holds(p_holder account, p_subject text,
  p_amount bigint)
returns boolean
language plpgsql as $$
declare
  hold record;
  open_amount bigint := p_amount;
  taken_amount bigint;
begin
  for hold in
    select id, remaining from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject
    order by id for update
  loop
    taken_amount := least(hold.remaining, open_amount);
    update reservation set remaining = remaining - taken_amount
    where marketplace_id = p_holder.marketplace_id and id = hold.id;
    open_amount := open_amount - taken_amount;
    exit when open_amount = 0;
  end loop;
  return open_amount = 0;
end $$;
alter function books.consume_manual_holds owner to holdfast_books;
revoke execute on function books.consume_manual_holds from public;
