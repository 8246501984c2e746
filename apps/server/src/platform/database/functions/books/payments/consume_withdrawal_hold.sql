-- Takes everything that the withdrawal's own hold has, by its own index and in one statement.
create or replace function books.consume_withdrawal_hold(p_withdrawal withdrawal) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  held_amount bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_withdrawal.marketplace_id and subject_id = p_withdrawal.id collate "default"
    and owner = 'withdrawal' and remaining > 0
  returning amount into held_amount;
  if held_amount is distinct from p_withdrawal.amount then
    raise exception 'withdrawal % holds %', p_withdrawal.id, held_amount;
  end if;
  return held_amount;
end $$;
alter function books.consume_withdrawal_hold owner to holdfast_books;
revoke execute on function books.consume_withdrawal_hold from public;
