-- Reconciliation: runs that compare our books with the payment provider and the ledger network, the
-- exceptions they find, and readings of solvency. Nothing here changes a balance but
-- books.post_exception.

create table reconciliation_run (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  providers text[] not null,
  operation_id text collate "C" not null,
  -- Records of the payment provider that were created before it are not compared.
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
create policy solvency on reconciliation_run for select to holdfast_operator using (true);
grant select, insert on reconciliation_run to holdfast_api;
grant select, insert, update (status, totals, opened, seen_again, cleared, ended_at) on
  reconciliation_run to holdfast_worker;
grant select on reconciliation_run to holdfast_operator;

create table reconciliation_exception (
  marketplace_id bigint not null,
  id text collate "C" not null,
  -- The same for the same exception, in every run that finds it.
  key text collate "C" not null,
  provider text not null,
  cause text not null,
  status text not null,
  currency text not null,
  -- What the provider has more than our books; below zero where it has less.
  stroops bigint not null,
  -- The account that a posting would be made against; null where no posting would resolve it.
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
  -- The user of CREDIT_USER or CHARGE_USER.
  user_id text collate "C",
  -- The amount that its posting moved against the clearing account, in cents; only
  -- books.post_exception writes it.
  posted bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint reconciliation_exception_status_check
    check (status in ('OPEN', 'RESOLVED', 'CLEARED')),
  constraint reconciliation_exception_clearing_check
    check (clearing in ('payment_clearing', 'network_clearing')),
  constraint reconciliation_exception_currency_check check (currency in ('USD', 'USDC', 'XLM')),
  constraint reconciliation_exception_action_check check (action in ('BOOK_TO_SUSPENSE',
    'CREDIT_USER', 'CHARGE_USER', 'WRITE_OFF', 'APPLY_AGAIN', 'ACCEPT')),
  constraint reconciliation_exception_resolved_check check (
    num_nonnulls(action, reason, resolved_by, resolved_at)
      = case status when 'RESOLVED' then 4 else 0 end
    and (user_id is not null) = coalesce(action in ('CREDIT_USER', 'CHARGE_USER'), false)
    and (posted is null
      or action in ('BOOK_TO_SUSPENSE', 'CREDIT_USER', 'CHARGE_USER', 'WRITE_OFF')))
) with (fillfactor = 70);
create unique index reconciliation_exception_open_key
  on reconciliation_exception (marketplace_id, key) where status = 'OPEN';
create index reconciliation_exception_resolved_idx on reconciliation_exception (marketplace_id, key)
  where status = 'RESOLVED';
call guard_tenant_table('reconciliation_exception');
create policy books on reconciliation_exception to holdfast_books using (true) with check (true);
create policy operator on reconciliation_exception for select to holdfast_operator using (true);
grant select, update (status, action, reason, resolved_by, resolved_at, user_id, updated_at) on
  reconciliation_exception to holdfast_api;
grant select, insert, update (status, cause, currency, stroops, clearing, resource_type,
  resource_id, ours, theirs, record_at, last_run_id, updated_at) on reconciliation_exception to
  holdfast_worker;
grant select on reconciliation_exception to holdfast_operator;
grant select, update (posted) on reconciliation_exception to holdfast_books;

-- Records that a run has found in the payment provider's lists, so that the missing ones can be
-- found without holding either list in memory. Emptied when the run ends.
create table reconciliation_match (
  marketplace_id bigint not null,
  run_id text collate "C" not null,
  code text collate "C" not null,
  primary key (marketplace_id, run_id, code)
);
call guard_tenant_table('reconciliation_match');
create policy operator on reconciliation_match for select to holdfast_operator using (true);
grant select, insert, delete on reconciliation_match to holdfast_worker;
grant select on reconciliation_match to holdfast_operator;

-- The escrow provider's fee on each contract that has paid, as the network shows it. The row is
-- written with the settlement, so that settled contracts need not be searched for; the figure
-- follows.
create table contract_fee (
  marketplace_id bigint not null,
  escrow_id text collate "C" not null,
  order_id text collate "C" not null,
  -- Null until the fee was read from the network.
  provider_stroops bigint,
  recorded_at timestamptz,
  primary key (marketplace_id, escrow_id),
  constraint contract_fee_check check (
    provider_stroops >= 0 and (provider_stroops is null) = (recorded_at is null))
);
-- Not led by the marketplace: the worker reads contracts of all marketplaces.
create index contract_fee_unrecorded_idx on contract_fee (escrow_id) where provider_stroops is null;
call guard_tenant_table('contract_fee');
create policy solvency on contract_fee for select to holdfast_operator using (true);
grant insert on contract_fee to holdfast_api;
grant select, insert, update (provider_stroops, recorded_at) on contract_fee to holdfast_worker;
grant select on contract_fee to holdfast_operator;

-- Capital that the house has put in, and where. It belongs to no marketplace: the treasury and the
-- balance at the payment provider serve all of them.
create table house_capital (
  id bigint generated always as identity primary key,
  place text not null,
  asset text not null,
  stroops bigint not null,
  reason text not null,
  recorded_by text not null,
  recorded_at timestamptz not null,
  -- The opening balance of each place and asset, recorded at the first reading.
  is_opening boolean not null,
  constraint house_capital_location_check check (place in ('ledger_network', 'payment_provider')),
  constraint house_capital_asset_check check (
    asset in ('USDC', 'XLM') and (place = 'ledger_network' or asset = 'USDC'))
);
create unique index house_capital_opening_key on house_capital (place, asset) where is_opening;
-- The worker records what it finds at the beginning, once; all other capital is a person's word,
-- since a wrong one would hide that money is missing.
alter table house_capital enable row level security;
create policy everyone_sees on house_capital for select
  to holdfast_worker, holdfast_operator, holdfast_auditor using (true);
create policy people_record on house_capital for insert to holdfast_operator with check (true);
create policy worker_opens on house_capital for insert to holdfast_worker with check (is_opening);
grant select, insert on house_capital to holdfast_worker, holdfast_operator;
grant select on house_capital to holdfast_auditor;

-- Readings of solvency, over the whole deployment.
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
grant select on solvency_reading to holdfast_api;
grant select, insert, delete on solvency_reading to holdfast_worker;
grant select on solvency_reading to holdfast_operator, holdfast_auditor;

-- The position of the slow walk through all addresses: one row, and it is always there.
create table address_scan (
  is_singleton boolean primary key default true,
  last_address text collate "C" not null,
  completed_at timestamptz,
  constraint address_scan_singleton_check check (is_singleton)
);
insert into address_scan (last_address) values ('');
grant select, update on address_scan to holdfast_worker;

-- Addresses that were found to lack something.
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
grant select, insert, update, delete on address_shortfall to holdfast_worker;
grant select on address_shortfall to holdfast_operator;
