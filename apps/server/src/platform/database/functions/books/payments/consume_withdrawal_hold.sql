-- Takes everything that the withdrawal's own hold has, by its own index and in one statement.
create or replace function books.consume_withdrawal_hold(p_wanted withdrawal) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_wanted.marketplace_id and subject_id = p_wanted.id collate "default"
    and owner = 'withdrawal' and remaining > 0
  returning amount into taken;
  if taken is distinct from p_wanted.amount then
    raise exception 'withdrawal % holds %', p_wanted.id, taken;
  end if;
  return taken;
end $$;
alter function books.consume_withdrawal_hold owner to holdfast_books;
revoke execute on function books.consume_withdrawal_hold from public;
