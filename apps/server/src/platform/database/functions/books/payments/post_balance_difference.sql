-- Posts a recorded difference between books and network against suspense, once.
create or replace function books.post_balance_difference(p_now timestamptz, p_difference text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seen balance_difference;
  holder account;
  house bigint;
  made entry;
begin
  select * into seen from balance_difference
  where id = p_difference and marketplace_id = current_setting('app.marketplace_id')::bigint
  for update;
  if not found or seen.entry_id is not null then
    raise exception 'difference % is not there to be posted', p_difference;
  end if;
  holder := books.lock_user_account(p_now, seen.user_id, seen.currency);
  house := books.house_account(p_now, 'suspense', seen.currency);
  if seen.amount > 0 then
    made := books.post_entry(p_now, seen.marketplace_id, 'sync_credit', house, 'available',
      holder.id, 'available', seen.amount, null, p_actor, p_correlation, null, null);
  else
    made := books.post_entry(p_now, seen.marketplace_id, 'sync_debit', holder.id, 'available',
      house, 'available', -seen.amount, null, p_actor, p_correlation, null, null);
  end if;
  update balance_difference set entry_id = made.id
  where marketplace_id = seen.marketplace_id and id = seen.id;
  perform books.emit_posting(made,
    case when seen.amount > 0 then 'balance.credited' else 'balance.debited' end,
    seen.user_id, seen.id, 'BALANCE_SYNCED');
  return made.id;
end $$;
alter function books.post_balance_difference owner to holdfast_books;
revoke execute on function books.post_balance_difference from public;
grant execute on function books.post_balance_difference to holdfast_app;
