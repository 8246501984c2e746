-- Withdrawals: a user's money that goes out, through the payment provider or over the network. What
-- was asked for is written once; the service may change only how far it has come. Its money is held
-- from the beginning until it ends.
--
-- As with orders: no foreign keys, and rows are looked up by one key only.
create table withdrawal (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  destination_type text not null,
  destination_ref text not null,
  memo text,
  -- What the provider calls its pay-out, or which transaction of the network it is.
  provider_payout_id text collate "C",
  transaction_hash text collate "C",
  action_required text,
  action_url text,
  failure_reason text,
  error_code text,
  -- When, by the provider's clock, what it told last was so: what is older changes nothing.
  told_at timestamptz,
  -- What the books have taken out of the clearing account for it, and so what the outside world is
  -- known to have paid. Only the doors below change it.
  paid bigint not null default 0,
  -- When the provider is looked at next. Null: nothing more is expected of it.
  next_look_at timestamptz,
  committed_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint withdrawal_amount_check check (amount > 0 and paid >= 0),
  constraint withdrawal_status_check check (status in ('WITHDRAWAL_CREATED', 'WITHDRAWAL_COMMITTED',
    'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION', 'WITHDRAWAL_COMPLETED',
    'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')),
  constraint withdrawal_destination_check
    check (destination_type in ('payment_account', 'bank', 'crypto')),
  -- XLM leaves over the network only, and only a network payment carries a memo.
  constraint withdrawal_currency_check check (
    currency in ('USD', 'USDC', 'XLM') and (destination_type = 'crypto' or currency <> 'XLM')),
  constraint withdrawal_memo_check
    check (memo is null or (destination_type = 'crypto' and octet_length(memo) between 1 and 28)),
  constraint withdrawal_completed_check
    check ((status = 'WITHDRAWAL_COMPLETED') = (completed_at is not null)),
  constraint withdrawal_action_check
    check (action_required is null or status = 'WITHDRAWAL_PENDING_USER_ACTION')
) with (fillfactor = 70);
create index withdrawal_user_idx on withdrawal (user_id, id);
-- Those that have not ended, for lists by status; and those that wait for a look.
create index withdrawal_open_idx on withdrawal (status, id)
  where status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED');
create index withdrawal_look_idx on withdrawal (next_look_at) where next_look_at is not null;
create index withdrawal_payout_idx on withdrawal (provider_payout_id)
  where provider_payout_id is not null;
call guard_tenant_table('withdrawal');
create policy books on withdrawal to holdfast_books using (true) with check (true);
grant select, insert on withdrawal to holdfast_app;
grant update (status, provider_payout_id, transaction_hash, action_required, action_url,
  failure_reason, error_code, told_at, next_look_at, committed_at, completed_at, updated_at)
  on withdrawal to holdfast_app;
grant select, update (paid) on withdrawal to holdfast_books;

-- One pause for the whole deployment: like the wallets of the house it belongs to no marketplace.
create table payouts_pause (
  -- One row, and it is always there.
  is_only boolean primary key default true,
  paused_at timestamptz,
  -- Of the last change, whichever it was.
  reason text,
  changed_by text,
  changed_at timestamptz,
  constraint payouts_pause_only_check check (is_only),
  constraint payouts_pause_reason_check check (paused_at is null or reason is not null)
);
insert into payouts_pause default values;
grant select, update on payouts_pause to holdfast_app, holdfast_operator;
grant select on payouts_pause to holdfast_auditor;

-- A withdrawal's own hold: one, found by its withdrawal.
create unique index reservation_withdrawal_key on reservation (marketplace_id, subject_id)
  where owner = 'withdrawal' and remaining > 0;

-- What a withdrawal may do with money: a door for each purpose. Amount and user come from the
-- withdrawal itself, so that a caller names nothing else.

create type books.withdrawal_posting as (
  -- Null when it was refused.
  entry_id bigint,
  -- The user's balance afterwards, or as it is where that was too little.
  available bigint,
  reserved bigint
);

create function books.find_withdrawal(p_withdrawal text) returns withdrawal
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal;
begin
  select * into wanted from withdrawal
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_withdrawal;
  if not found then raise exception 'withdrawal % is not of this marketplace', p_withdrawal; end if;
  return wanted;
end $$;

-- Takes all that the withdrawal's own hold has, by its own index and in one statement.
create function books.use_withdrawal_hold(p_wanted withdrawal) returns bigint
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

-- Sets the user's money aside for the withdrawal. Refused when less is available.
create function books.hold_for_withdrawal(p_now timestamptz, p_withdrawal text, p_reservation text,
  p_actor text, p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, wanted.user_id, wanted.currency);
  made entry;
begin
  if holder.available < wanted.amount then
    return row(null, holder.available, holder.reserved)::books.withdrawal_posting;
  end if;
  made := books.move(p_now, wanted.marketplace_id, 'withdrawal_hold', holder.id, 'available',
    holder.id, 'reserved', wanted.amount, wanted.id, p_actor, p_correlation, null, null);
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (wanted.marketplace_id, p_reservation, holder.id, 'withdrawal', wanted.id, made.amount,
    made.amount, made.id, p_now);
  perform books.tell_balance('balance.reserved', wanted.user_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.withdrawal_posting;
end $$;

-- Gives the user back what was set aside: nothing was paid out.
create function books.return_withdrawal_hold(p_now timestamptz, p_withdrawal text, p_note text,
  p_actor text, p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, wanted.user_id, wanted.currency);
  taken bigint := books.use_withdrawal_hold(wanted);
  made entry;
begin
  made := books.move(p_now, wanted.marketplace_id, 'withdrawal_hold_return', holder.id, 'reserved',
    holder.id, 'available', taken, wanted.id, p_actor, p_correlation, null, p_note);
  perform books.tell_balance('balance.released', wanted.user_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.withdrawal_posting;
end $$;

-- Consumes the hold: the money has left, through the payment provider or over the network.
create function books.pay_withdrawal(p_now timestamptz, p_withdrawal text, p_actor text,
  p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  is_crypto constant boolean := wanted.destination_type = 'crypto';
  holder account := books.lock_user_account(p_now, wanted.user_id, wanted.currency);
  taken bigint := books.use_withdrawal_hold(wanted);
  made entry;
begin
  made := books.move(p_now, wanted.marketplace_id,
    case when is_crypto then 'withdrawal_crypto' else 'withdrawal_payout' end, holder.id, 'reserved',
    books.house_account(p_now, case when is_crypto then 'network_clearing' else 'payment_clearing' end,
      wanted.currency),
    'available', taken, wanted.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = taken
  where marketplace_id = wanted.marketplace_id and id = wanted.id;
  perform books.tell_balance('balance.debited', wanted.user_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.withdrawal_posting;
end $$;

-- The provider has paid another sum than the books say, or has paid after all, or not: suspense
-- bears the difference until an operator has looked. Answers it; null when there is none.
create function books.suspend_withdrawal(p_now timestamptz, p_withdrawal text, p_paid bigint,
  p_note text, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  wanted withdrawal := books.find_withdrawal(p_withdrawal);
  clearing bigint := books.house_account(p_now, 'payment_clearing', wanted.currency);
  suspense bigint := books.house_account(p_now, 'suspense', wanted.currency);
  difference bigint := p_paid - wanted.paid;
begin
  if difference = 0 then return null; end if;
  perform books.move(p_now, wanted.marketplace_id, 'withdrawal_suspense',
    case when difference > 0 then suspense else clearing end, 'available',
    case when difference > 0 then clearing else suspense end, 'available',
    abs(difference), wanted.id, p_actor, p_correlation, null, p_note);
  update withdrawal set paid = p_paid
  where marketplace_id = wanted.marketplace_id and id = wanted.id;
  return difference;
end $$;

call books.seal_doors(array['find_withdrawal', 'use_withdrawal_hold']);

-- Where to look, over all marketplaces.
create policy operator on withdrawal for select to holdfast_operator using (true);
grant select (marketplace_id, id, provider_payout_id, next_look_at) on withdrawal to holdfast_operator;
grant select (address) on house_wallet, spare_wallet to holdfast_operator;

-- Pay-outs whose time for a look has come.
create function work.withdrawals_to_look_at(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.id from withdrawal w
  where w.next_look_at <= due_at order by w.next_look_at limit at_most
$$;

-- Whose a pay-out is, by the provider's name for it or by ours.
create function work.withdrawal_of_payout(wanted_payout text, wanted_code text)
returns table (marketplace_id bigint, withdrawal_id text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select w.marketplace_id, w.id from withdrawal w
    where w.provider_payout_id = wanted_payout limit 1;
  if found then return; end if;
  -- By the key, once for each marketplace: an index by id alone would be one more for serializable
  -- transactions to collide in, and only a pay-out whose name we do not know yet asks.
  return query select m.id, named.id
    from unnest(array[wanted_code, wanted_payout]) as named (id) cross join marketplace m
    where exists (select from withdrawal w where w.marketplace_id = m.id and w.id = named.id) limit 1;
end $$;

-- Whether an address is the house's, a spare's or any user's, in whichever marketplace.
create function work.is_our_address(wanted_address text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from house_wallet h where h.address = wanted_address)
    or exists (select from spare_wallet s where s.address = wanted_address)
    or exists (select from wallet w where w.address = wanted_address)
$$;

do $$
declare
  routine text;
begin
  foreach routine in array array['work.withdrawals_to_look_at(int, timestamptz)',
    'work.withdrawal_of_payout(text, text)', 'work.is_our_address(text)']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;
