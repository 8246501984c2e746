-- Reconciliation: runs that compare our books with the payment provider and the ledger network, the
-- exceptions they find, and readings of solvency. Nothing here changes a balance but the one door.

create table reconciliation_run (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  providers text[] not null,
  operation_id text collate "C" not null,
  -- Records of the payment provider that were made before it are not looked at.
  window_from timestamptz not null,
  totals json,
  opened int,
  seen_again int,
  cleared int,
  created_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, id),
  constraint reconciliation_run_status_check check (status in ('RUNNING', 'DONE')),
  constraint reconciliation_run_providers_check check (
    cardinality(providers) > 0 and providers <@ array['payment_provider', 'ledger_network']),
  constraint reconciliation_run_done_check check (
    num_nonnulls(totals, opened, seen_again, cleared, ended_at)
      = case status when 'DONE' then 5 else 0 end)
) with (fillfactor = 70);
-- One at a time: two would clear each other's exceptions.
create unique index reconciliation_run_running_key on reconciliation_run (marketplace_id)
  where status = 'RUNNING';
call guard_tenant_table('reconciliation_run');
grant select, insert on reconciliation_run to holdfast_app;
grant update (status, totals, opened, seen_again, cleared, ended_at) on reconciliation_run
  to holdfast_app;

create table reconciliation_exception (
  marketplace_id bigint not null,
  id text collate "C" not null,
  -- The same for the same thing, whichever run finds it.
  key text collate "C" not null,
  provider text not null,
  cause text not null,
  status text not null,
  currency text not null,
  -- What the other side has more than our books; below zero where it has less.
  stroops bigint not null,
  -- What a posting would go against; null where none would make it right.
  clearing text,
  resource_type text,
  resource_id text collate "C",
  ours json,
  theirs json,
  record_at timestamptz,
  first_run_id text collate "C" not null,
  last_run_id text collate "C" not null,
  action text,
  reason text,
  resolved_by text,
  resolved_at timestamptz,
  -- Whom CREDIT_USER names.
  credited_user_id text collate "C",
  -- What its posting moved against the clearing account, in cents; only the door writes it.
  posted bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint reconciliation_exception_status_check check (status in ('OPEN', 'RESOLVED', 'CLEARED')),
  constraint reconciliation_exception_clearing_check
    check (clearing in ('payment_clearing', 'network_clearing')),
  constraint reconciliation_exception_currency_check check (currency in ('USD', 'USDC', 'XLM')),
  constraint reconciliation_exception_action_check check (action in ('BOOK_TO_SUSPENSE',
    'CREDIT_USER', 'WRITE_OFF', 'APPLY_AGAIN', 'ACCEPT')),
  constraint reconciliation_exception_resolved_check check (
    num_nonnulls(action, reason, resolved_by, resolved_at)
      = case status when 'RESOLVED' then 4 else 0 end
    and (credited_user_id is not null) = (action is not distinct from 'CREDIT_USER')
    and (posted is null or action in ('BOOK_TO_SUSPENSE', 'CREDIT_USER', 'WRITE_OFF')))
) with (fillfactor = 70);
create unique index reconciliation_exception_open_key on reconciliation_exception (marketplace_id, key)
  where status = 'OPEN';
create index reconciliation_exception_resolved_idx on reconciliation_exception (marketplace_id, key)
  where status = 'RESOLVED';
call guard_tenant_table('reconciliation_exception');
create policy books on reconciliation_exception to holdfast_books using (true) with check (true);
create policy operator on reconciliation_exception for select to holdfast_operator using (true);
grant select, insert on reconciliation_exception to holdfast_app;
grant update (status, cause, currency, stroops, clearing, resource_type, resource_id, ours, theirs,
  record_at, last_run_id, action, reason, resolved_by, resolved_at, credited_user_id, updated_at)
  on reconciliation_exception to holdfast_app;
grant select, update (posted) on reconciliation_exception to holdfast_books;
grant select on reconciliation_exception to holdfast_operator;

-- What a run has met in the payment provider's lists, so that what it has not met can be found
-- without keeping either list in memory. Emptied when the run ends.
create table reconciliation_seen (
  marketplace_id bigint not null,
  run_id text collate "C" not null,
  code text collate "C" not null,
  primary key (marketplace_id, run_id, code)
);
call guard_tenant_table('reconciliation_seen');
create policy operator on reconciliation_seen for select to holdfast_operator using (true);
grant select, insert, delete on reconciliation_seen to holdfast_app;
grant select on reconciliation_seen to holdfast_operator;

-- What the escrow provider kept of each contract that has paid, as the network shows it. Written with
-- the settlement, so that nobody has to search for what was settled; the figure follows.
create table contract_fee (
  marketplace_id bigint not null,
  escrow_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Null until the network was asked.
  provider_stroops bigint,
  noted_at timestamptz,
  primary key (marketplace_id, escrow_id),
  constraint contract_fee_check check (
    provider_stroops >= 0 and (provider_stroops is null) = (noted_at is null))
);
-- Not led by the marketplace: whoever notes them looks over all.
create index contract_fee_awaited_idx on contract_fee (escrow_id) where provider_stroops is null;
call guard_tenant_table('contract_fee');
grant select, insert on contract_fee to holdfast_app;
grant update (provider_stroops, noted_at) on contract_fee to holdfast_app;

-- What the house has put in, and where. No marketplace's: the treasury and the balance at the
-- payment provider serve all of them.
create table house_capital (
  id bigint generated always as identity primary key,
  place text not null,
  asset text not null,
  stroops bigint not null,
  reason text not null,
  recorded_by text not null,
  recorded_at timestamptz not null,
  -- The first of a place is what was found there when the house was first looked at.
  is_opening boolean not null,
  constraint house_capital_place_check check (place in ('ledger_network', 'payment_provider')),
  constraint house_capital_asset_check check (
    asset in ('USDC', 'XLM') and (place = 'ledger_network' or asset = 'USDC'))
);
create unique index house_capital_opening_key on house_capital (place, asset) where is_opening;
grant select, insert on house_capital to holdfast_app, holdfast_operator;
grant select on house_capital to holdfast_auditor;

create table solvency_reading (
  id bigint generated always as identity primary key,
  taken_at timestamptz not null,
  status text not null,
  groups json not null,
  addresses_read int not null,
  addresses_known int not null,
  constraint solvency_reading_status_check
    check (status in ('BALANCED', 'UNSETTLED', 'SURPLUS', 'BREACH'))
);
create index solvency_reading_taken_idx on solvency_reading (taken_at);
grant select, insert, delete on solvency_reading to holdfast_app;
grant select on solvency_reading to holdfast_operator, holdfast_auditor;

-- Where the slow walk through all addresses stands, and which of them lack something.
create table address_walk (
  is_only boolean primary key default true,
  last_address text collate "C" not null,
  walked_at timestamptz,
  constraint address_walk_only_check check (is_only)
);
insert into address_walk (last_address) values ('');
grant select, update on address_walk to holdfast_app;
create table address_shortfall (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  asset text not null,
  stroops bigint not null,
  seen_at timestamptz not null,
  primary key (marketplace_id, user_id, asset),
  constraint address_shortfall_check check (stroops > 0 and asset in ('USDC', 'XLM'))
);
call guard_tenant_table('address_shortfall');
create policy operator on address_shortfall for select to holdfast_operator using (true);
grant select, insert, update, delete on address_shortfall to holdfast_app;
grant select on address_shortfall to holdfast_operator;

-- The one door: makes the books agree with what the other side has, once for each exception. Amount,
-- currency and account come from the exception, which somebody has just resolved with a reason.
create function books.post_exception(p_now timestamptz, p_exception text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  seen reconciliation_exception;
  moved bigint;
  clearing bigint;
  other bigint;
  payee account;
  made entry;
begin
  select * into seen from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception
  for update;
  if not found or seen.status <> 'RESOLVED' or seen.posted is not null or seen.clearing is null then
    raise exception 'exception % is not there to be posted', p_exception;
  end if;
  if seen.stroops = 0 or seen.stroops % 100000 <> 0 then
    raise exception 'exception % is no whole number of cents', p_exception;
  end if;
  moved := seen.stroops / 100000;
  clearing := books.house_account(p_now, seen.clearing, seen.currency);
  other := books.house_account(p_now,
    case seen.action when 'WRITE_OFF' then 'provider_fees' else 'suspense' end, seen.currency);
  made := books.move(p_now, seen.marketplace_id,
    case seen.action when 'WRITE_OFF' then 'exception_write_off' else 'exception_suspense' end,
    case when moved > 0 then clearing else other end, 'available',
    case when moved > 0 then other else clearing end, 'available',
    abs(moved), seen.id, p_actor, p_correlation, null, seen.reason);
  if seen.action = 'CREDIT_USER' then
    if moved < 0 then raise exception 'exception % has nothing to credit', p_exception; end if;
    payee := books.lock_user_account(p_now, seen.credited_user_id, seen.currency);
    made := books.move(p_now, seen.marketplace_id, 'exception_credit', other, 'available',
      payee.id, 'available', moved, seen.id, p_actor, p_correlation, null, seen.reason);
    perform books.tell_balance('balance.credited', seen.credited_user_id, made);
  elsif seen.action not in ('BOOK_TO_SUSPENSE', 'WRITE_OFF') then
    raise exception 'exception % is not resolved by a posting', p_exception;
  end if;
  update reconciliation_exception set posted = moved
  where marketplace_id = seen.marketplace_id and id = seen.id;
  return moved;
end $$;
call books.seal_doors(array[]::text[]);

-- Over all marketplaces: the payment provider's lists and the house's wallets are everybody's.
create policy solvency on account for select to holdfast_operator using (true);
create policy solvency on house_part for select to holdfast_operator using (true);
create policy solvency on wallet_mirror for select to holdfast_operator using (true);
create policy solvency on topup for select to holdfast_operator using (true);
create policy solvency on orders for select to holdfast_operator using (true);
create policy solvency on escrow for select to holdfast_operator using (true);
create policy solvency on dispute for select to holdfast_operator using (true);
create policy solvency on contract_fee for select to holdfast_operator using (true);
create policy solvency on operation_step for select to holdfast_operator using (true);
create policy solvency on reconciliation_run for select to holdfast_operator using (true);
grant select on account, house_part, wallet_mirror, topup, orders, escrow, dispute, contract_fee,
  operation_step, reconciliation_run, withdrawal to holdfast_operator;

-- All balances of the deployment, by currency and kind of account.
create function work.booked_sums() returns table (currency text, kind text, minor numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.currency, a.kind, sum(a.available + a.reserved) from account a
  where a.owner_id <> '' group by 1, 2
  union all
  select a.currency, a.kind, sum(p.delta) from house_part p join account a on a.id = p.account_id
  group by 1, 2
$$;

-- What addresses are known to hold, what of it is dust, what is on its way to or from them by the
-- mirror, and what they were found to lack.
create function work.mirrored_sums()
returns table (asset text, stroops numeric, dust numeric, moving numeric, lacking numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with booked as (
    select a.marketplace_id, a.owner_id as user_id,
      case a.currency when 'XLM' then 'XLM' else 'USDC' end as asset,
      sum(a.available + a.reserved) * 100000 as stroops
    from account a where a.kind = 'user' group by 1, 2, 3)
  select asset, coalesce(sum(m.stroops), 0), coalesce(sum(m.dust_stroops), 0),
    coalesce(sum(abs(coalesce(b.stroops, 0) + coalesce(m.dust_stroops, 0) - coalesce(m.stroops, 0))), 0),
    coalesce((select sum(s.stroops) from address_shortfall s where s.asset = both_sides.asset), 0)
  from (select marketplace_id, user_id, asset from booked
    union select marketplace_id, user_id, asset from wallet_mirror) both_sides
  left join booked b using (marketplace_id, user_id, asset)
  left join wallet_mirror m using (marketplace_id, user_id, asset)
  group by asset
$$;

-- Money that moves on the network for an order or a withdrawal right now, and what contracts have
-- paid without our having noted the provider's fee.
create function work.moving_sums() returns table (asset text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'USDC', coalesce(sum(o.amount), 0) * 100000 from open_order w
  join orders o on o.marketplace_id = w.marketplace_id and o.id = w.order_id
  left join escrow e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id
  left join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
    and d.resolved_at is null
  where o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
    or d.decision is not null
  union all
  select case w.currency when 'XLM' then 'XLM' else 'USDC' end, sum(w.amount) * 100000
  from withdrawal w where w.destination_type = 'crypto'
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
  group by 1
  union all
  select 'USDC', coalesce(sum(e.amount * 100000 * 30 / 10000), 0) from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  where f.provider_stroops is null
$$;
create policy solvency on open_order for select to holdfast_operator using (true);
grant select on open_order to holdfast_operator;

create function work.noted_fees() returns numeric
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(f.provider_stroops), 0) from contract_fee f
$$;

-- Contracts that have paid and whose fee is not noted, with the transactions that paid.
create function work.fees_to_note(at_most int)
returns table (marketplace_id bigint, escrow_id text, contract_id text, hashes text[])
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.id, e.provider_contract_id,
    array(select v.hash from operation o
      join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
      join envelope v on v.marketplace_id = s.marketplace_id and v.purpose = s.purpose
        and v.state = 'APPLIED'
      where o.marketplace_id = f.marketplace_id and o.resource_id = f.order_id
        and s.name ~ '^(release|resolve)(-\d+)?$')
  from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  where f.provider_stroops is null order by f.escrow_id limit at_most
$$;
-- Our records of these pay-ins or pay-outs, whosever they are.
create function work.payment_records(wanted_kind text, codes text[])
returns table (marketplace_id bigint, id text, status text, currency text, amount bigint,
  booked bigint, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.marketplace_id, t.id, t.status, t.currency, t.amount, t.credited + t.suspended,
    t.created_at, t.updated_at
  from payin_name p join topup t on t.marketplace_id = p.marketplace_id and t.id = p.topup_id
  where wanted_kind = 'payin' and p.name = any (codes) and p.name = t.id
  union all
  select w.marketplace_id, w.id, w.status, w.currency, w.amount, -w.paid, w.created_at, w.updated_at
  from marketplace m cross join unnest(codes) as named (id)
  join withdrawal w on w.marketplace_id = m.id and w.id = named.id
  where wanted_kind = 'payout' and w.destination_type <> 'crypto'
$$;

-- Our records since a time that this run has not met in the provider's list.
create function work.payments_unmet(wanted_kind text, run_marketplace bigint, wanted_run text,
  only_marketplace bigint, since_id text, after_id text, at_most int)
returns table (marketplace_id bigint, id text, status text, currency text, amount bigint,
  booked bigint, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from (
    select t.marketplace_id, t.id, t.status, t.currency, t.amount, t.credited + t.suspended,
      t.created_at, t.updated_at
    from topup t where wanted_kind = 'payin'
      and (only_marketplace is null or t.marketplace_id = only_marketplace)
      and t.id >= since_id and t.id > after_id
    union all
    select w.marketplace_id, w.id, w.status, w.currency, w.amount, -w.paid, w.created_at, w.updated_at
    from withdrawal w where wanted_kind = 'payout' and w.destination_type <> 'crypto'
      and (only_marketplace is null or w.marketplace_id = only_marketplace)
      and w.id >= since_id and w.id > after_id
  ) as known (marketplace_id, id, status, currency, amount, booked, created_at, updated_at)
  where not exists (select from reconciliation_seen s where s.marketplace_id = run_marketplace
    and s.run_id = wanted_run and s.code = known.id)
  order by known.id limit at_most
$$;

-- What was posted to make these very things right, whoever did it.
create function work.exceptions_posted(keys text[])
returns table (marketplace_id bigint, key text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.key, sum(e.posted) * 100000 from reconciliation_exception e
  where e.status = 'RESOLVED' and e.key = any (keys) and e.posted is not null group by 1, 2
$$;

-- The next addresses of the slow walk.
create function work.wallets_after(last_address text, at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w
  where w.address > last_address and w.status = 'READY' order by w.address limit at_most
$$;
create function work.wallets_lacking(at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct w.marketplace_id, w.user_id, w.address from address_shortfall s
  join wallet w on w.marketplace_id = s.marketplace_id and w.user_id = s.user_id limit at_most
$$;
create function work.wallets_known() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.status = 'READY'
$$;

-- Marketplaces that were not compared since a time; and which one stands for the house.
create function work.marketplaces_to_reconcile(since timestamptz, at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m
  where m.created_at <= since and not exists (select from reconciliation_run r
    where r.marketplace_id = m.id and (r.status = 'RUNNING' or r.created_at > since))
  order by m.id limit at_most
$$;
create function work.house_marketplace(named text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when named is not null then (select m.id from marketplace m where m.public_id = named)
    else (select min(m.id) from marketplace m having count(*) = 1) end
$$;
-- Where deeds of the house are audited when no marketplace is the operator's own.
create function work.oldest_marketplace() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select min(m.id) from marketplace m
$$;

do $$
declare
  routine text;
begin
  foreach routine in array array['work.booked_sums()', 'work.mirrored_sums()', 'work.moving_sums()',
    'work.noted_fees()', 'work.fees_to_note(int)', 'work.payment_records(text, text[])',
    'work.payments_unmet(text, bigint, text, bigint, text, text, int)',
    'work.exceptions_posted(text[])', 'work.wallets_after(text, int)', 'work.wallets_lacking(int)',
    'work.wallets_known()', 'work.marketplaces_to_reconcile(timestamptz, int)',
    'work.house_marketplace(text)', 'work.oldest_marketplace()']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;
