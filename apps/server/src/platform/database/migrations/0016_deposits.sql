-- Deposits: what strangers paid to users' addresses on the ledger network, each credited once; and
-- differences between books and network that `sync` found.

-- One row per transfer of a network operation, credited or too small to be.
create table deposit (
  marketplace_id bigint not null,
  -- The network's own number of the operation, and which of its transfers: a contract can make many.
  operation_id text collate "C" not null,
  part int not null,
  -- The same operation in a list of wallet transactions; the name that balance events give it.
  line_id text collate "C" not null,
  user_id text collate "C" not null,
  address text collate "C" not null,
  from_address text collate "C" not null,
  hash text collate "C" not null,
  asset text not null,
  stroops bigint not null,
  -- What it credits, in whole cents, and what it changes the wallet's dust by: less than nothing
  -- where older dust and this together made a cent.
  currency text not null,
  amount bigint not null,
  dust_stroops bigint not null,
  happened_at timestamptz not null,
  credited_at timestamptz not null,
  -- Null when it credits nothing.
  entry_id bigint,
  -- Not led by the marketplace: an operation is one on the whole network.
  constraint deposit_pkey primary key (operation_id, part),
  constraint deposit_currency_check check (
    case asset when 'USDC' then currency in ('USD', 'USDC') when 'XLM' then currency = 'XLM' end),
  constraint deposit_asset_check check (asset in ('USDC', 'XLM')),
  constraint deposit_stroops_check check (stroops > 0 and stroops = amount * 100000 + dust_stroops),
  constraint deposit_amount_check check (amount >= 0 and dust_stroops between -99999 and 99999)
);
create index deposit_user_idx on deposit (user_id, operation_id);
call guard_tenant_table('deposit');
create policy books on deposit to holdfast_books using (true) with check (true);
grant select on deposit to holdfast_app, holdfast_books;
grant insert (marketplace_id, operation_id, part, line_id, user_id, address, from_address, hash,
  asset, stroops, currency, amount, dust_stroops, happened_at, credited_at) on deposit to holdfast_app;
grant update (entry_id) on deposit to holdfast_books;

-- How far the network's feed of payments is read. The network has one, whosever the payments are.
create table network_cursor (
  feed text primary key,
  cursor text not null,
  moved_at timestamptz not null,
  constraint network_cursor_feed_check check (feed = 'payments')
);
grant select, insert, update on network_cursor to holdfast_app;

-- A difference between an address and all that explains it, and what was done about it.
create table balance_difference (
  marketplace_id bigint not null,
  -- Of the audit row that tells of it.
  id text collate "C" not null,
  user_id text collate "C" not null,
  asset text not null,
  address_stroops bigint not null,
  mirrored_stroops bigint not null,
  -- What the address holds beyond all explanation; less than nothing when it lacks that.
  unexplained_stroops bigint not null,
  -- What of it is posted against suspense, in cents, and what it changes the wallet's dust by.
  currency text not null,
  amount bigint not null,
  dust_stroops bigint not null,
  created_at timestamptz not null,
  -- Null when nothing is posted.
  entry_id bigint,
  primary key (marketplace_id, id),
  constraint balance_difference_asset_check check (asset in ('USDC', 'XLM')),
  constraint balance_difference_currency_check check (
    case asset when 'USDC' then currency in ('USD', 'USDC') else currency = asset end),
  constraint balance_difference_stroops_check check (unexplained_stroops <> 0),
  -- Never more than what was found, nor the other way round.
  constraint balance_difference_amount_check check (
    abs(amount * 100000 + dust_stroops) <= abs(unexplained_stroops)
    and sign(amount * 100000 + dust_stroops) in (0, sign(unexplained_stroops))
    and dust_stroops between -99999 and 99999)
);
create index balance_difference_user_idx on balance_difference (user_id, id);
call guard_tenant_table('balance_difference');
create policy books on balance_difference to holdfast_books using (true) with check (true);
grant select on balance_difference to holdfast_app, holdfast_books;
grant insert (marketplace_id, id, user_id, asset, address_stroops, mirrored_stroops,
  unexplained_stroops, currency, amount, dust_stroops, created_at) on balance_difference to holdfast_app;
grant update (entry_id) on balance_difference to holdfast_books;

-- Tells of an entry of one user: its event and its audit row, both by pointing at it.
create function books.tell_posting(p_made entry, p_event text, p_user text, p_audit text, p_action text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_made.marketplace_id, p_event, p_user, p_made.id, p_audit, p_made.actor_id,
    p_made.correlation_id);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, correlation_id, entry_id)
  values (p_made.marketplace_id, p_audit, p_made.created_at, p_action, 'Balance', p_user,
    case p_made.actor_id when 'system' then 'SYSTEM' else 'API_KEY' end,
    p_made.actor_id, 'SUCCESS', p_made.correlation_id, p_made.id);
end $$;

-- Credits a deposit that is written down, once.
create function books.credit_deposit(p_now timestamptz, p_operation text, p_part int, p_audit text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  came deposit;
  holder account;
  made entry;
begin
  select * into came from deposit
  where operation_id = p_operation and part = p_part
    and marketplace_id = current_setting('app.marketplace_id')::bigint for update;
  if not found or came.entry_id is not null then
    raise exception 'deposit % is not there to be credited', p_operation;
  end if;
  holder := books.lock_user_account(p_now, came.user_id, came.currency);
  made := books.move(p_now, came.marketplace_id, 'deposit',
    books.house_account(p_now, 'network_clearing', came.currency), 'available',
    holder.id, 'available', came.amount, came.line_id, p_actor, p_correlation, null, null);
  update deposit set entry_id = made.id where operation_id = p_operation and part = p_part;
  perform books.tell_posting(made, 'balance.credited', came.user_id, p_audit, 'DEPOSIT_CREDITED');
  return made.id;
end $$;

-- Posts a difference that is written down against suspense, once.
create function books.post_difference(p_now timestamptz, p_difference text, p_actor text,
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
    made := books.move(p_now, seen.marketplace_id, 'sync_credit', house, 'available',
      holder.id, 'available', seen.amount, null, p_actor, p_correlation, null, null);
  else
    made := books.move(p_now, seen.marketplace_id, 'sync_debit', holder.id, 'available',
      house, 'available', -seen.amount, null, p_actor, p_correlation, null, null);
  end if;
  update balance_difference set entry_id = made.id
  where marketplace_id = seen.marketplace_id and id = seen.id;
  perform books.tell_posting(made,
    case when seen.amount > 0 then 'balance.credited' else 'balance.debited' end,
    seen.user_id, seen.id, 'BALANCE_SYNCED');
  return made.id;
end $$;
call books.seal_doors(array['tell_posting']);

-- What a page of the network's payments has to do with us, over all marketplaces: whose an address
-- is, and which addresses and transactions are our own. An envelope is found by the hash of what it
-- carries too: a stranger can wrap our signed transaction in a fee bump of his own.
create function work.wallets_at(addresses text[])
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w where w.address = any (addresses)
$$;
create function work.own_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select address from wallet where address = any (addresses)
  union all select address from house_wallet where address = any (addresses)
  union all select address from spare_wallet where address = any (addresses)
  union all select provider_contract_id from contract where provider_contract_id = any (addresses)
$$;
create function work.own_transactions(hashes text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select hash from envelope where hash = any (hashes)
  union all select inner_hash from envelope where inner_hash = any (hashes)
$$;
create function work.known_deposits(operation_ids text[])
returns table (operation_id text, part int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.operation_id, d.part from deposit d where d.operation_id = any (operation_ids)
$$;
create policy operator on deposit for select to holdfast_operator using (true);
grant select (operation_id, part) on deposit to holdfast_operator;
do $$
declare
  routine text;
begin
  foreach routine in array array['work.wallets_at(text[])', 'work.own_addresses(text[])',
    'work.own_transactions(text[])', 'work.known_deposits(text[])']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;
