-- Posts a recorded difference between books and network against suspense, once.
create or replace function books.post_balance_difference(p_now timestamptz, p_difference text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  difference_row balance_difference;
  holder account;
  house bigint;
  new_entry entry;
begin
  select * into difference_row from balance_difference
  where id = p_difference and marketplace_id = current_setting('app.marketplace_id')::bigint
  for update;
  if not found or difference_row.entry_id is not null then
    raise exception 'difference % is not there to be posted', p_difference;
  end if;
  holder := books.lock_user_account(p_now, difference_row.user_id, difference_row.currency);
  house := books.house_account(p_now, 'suspense', difference_row.currency);
  if difference_row.amount > 0 then
    new_entry := books.post_entry(p_now, difference_row.marketplace_id, 'sync_credit',
      house, 'available', holder.id, 'available',
      difference_row.amount, null, p_actor, p_correlation, null, null);
  else
    new_entry := books.post_entry(p_now, difference_row.marketplace_id, 'sync_debit',
      holder.id, 'available', house, 'available',
      -difference_row.amount, null, p_actor, p_correlation, null, null);
  end if;
  update balance_difference set entry_id = new_entry.id
  where marketplace_id = difference_row.marketplace_id and id = difference_row.id;
  perform books.emit_posting(new_entry,
    case when difference_row.amount > 0 then 'balance.credited' else 'balance.debited' end,
    difference_row.user_id, difference_row.id, 'BALANCE_SYNCED');
  return new_entry.id;
end $$;
alter function books.post_balance_difference owner to holdfast_books;
revoke execute on function books.post_balance_difference from public;
grant execute on function books.post_balance_difference to holdfast_api;
