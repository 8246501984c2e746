-- Credits a recorded deposit, once. An open debt of the user is repaid from it first.
create or replace function books.credit_deposit(p_now timestamptz, p_operation text,
  p_transfer_index int, p_audit text, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deposit_row deposit;
  holder account;
  new_entry entry;
begin
  select * into deposit_row from deposit
  where operation_id = p_operation and transfer_index = p_transfer_index
    and marketplace_id = current_setting('app.marketplace_id')::bigint for update;
  if not found or deposit_row.entry_id is not null then
    raise exception 'deposit % is not there to be credited', p_operation;
  end if;
  holder := books.lock_user_account(p_now, deposit_row.user_id, deposit_row.currency);
  new_entry := books.post_entry(p_now, deposit_row.marketplace_id, 'deposit',
    books.house_account(p_now, 'network_clearing', deposit_row.currency), 'available',
    holder.id, 'available',
    deposit_row.amount, deposit_row.line_id, p_actor, p_correlation, null, null);
  update deposit set entry_id = new_entry.id
  where operation_id = p_operation and transfer_index = p_transfer_index;
  perform books.emit_posting(new_entry, 'balance.credited', deposit_row.user_id, p_audit,
    'DEPOSIT_CREDITED');
  perform books.repay_debt(p_now, holder.id, deposit_row.line_id, p_actor, p_correlation);
  return new_entry.id;
end $$;
alter function books.credit_deposit owner to holdfast_books;
revoke execute on function books.credit_deposit from public;
grant execute on function books.credit_deposit to holdfast_api, holdfast_worker;
