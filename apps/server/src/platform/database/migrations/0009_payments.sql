-- Money that enters and leaves: top-ups, withdrawals and deposits.

-- Top-ups: money that comes in through the payment provider. The request is written once; the
-- service may change only its progress and the amount that the provider reports. As with orders, no
-- column that a status change updates is indexed: the names of pay-ins and the times of the next
-- polls have tables of their own.
create table topup (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  description text,
  return_url text,
  cancel_url text,
  metadata json not null,
  -- Known once the provider has created the pay-in, whose code is our id.
  provider_payin_id text collate "C",
  confirmation_uri text,
  failure_reason text,
  error_code text,
  -- The amount that the provider reports as received, and since when. Null: nothing was reported.
  received bigint,
  received_currency text,
  received_at timestamptz,
  -- The provider's fee as its record shows it. Null: the record of the payment was not read yet.
  fee bigint,
  -- What the payer's bank has taken back of the credited amount, as the record shows it.
  reversed bigint not null default 0,
  -- Who bears that fee, by the terms of the marketplace when the top-up was created.
  fee_paid_by text not null,
  -- How the books treated it: credited to the user, or in suspense for an operator. Suspense below
  -- zero: the user was credited with money that never came. Only posting functions write these.
  credited bigint not null default 0,
  suspended bigint not null default 0,
  suspended_currency text,
  -- Of the fee: what the books have posted, and which part of that the user was charged.
  booked_fee bigint not null default 0,
  charged_fee bigint not null default 0,
  -- The reversal that the books have posted.
  booked_reversal bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint topup_amount_check check (amount > 0),
  -- The payment provider carries dollars, which back both.
  constraint topup_currency_check check (currency in ('USD', 'USDC')),
  constraint topup_status_check check (status in ('TOPUP_CREATED',
    'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'TOPUP_FAILED',
    'TOPUP_CANCELED')),
  constraint topup_confirmation_check check (status <> 'TOPUP_AWAITING_USER_CONFIRMATION'
    or (provider_payin_id is not null and confirmation_uri is not null)),
  constraint topup_failure_check check ((status = 'TOPUP_FAILED') = (failure_reason is not null)),
  constraint topup_received_check check (
    num_nonnulls(received, received_currency, received_at) in (0, 3) and received >= 0),
  constraint topup_credited_check check (credited in (0, amount)
    and (credited = 0 or status = 'TOPUP_SUCCEEDED')),
  constraint topup_suspended_check check (suspended = 0 or suspended_currency is not null),
  constraint topup_fee_check check (fee >= 0 and fee_paid_by in ('MARKETPLACE', 'USER')),
  constraint topup_booked_fee_check check (charged_fee between 0 and booked_fee),
  constraint topup_reversed_check check (reversed in (0, credited))
) with (fillfactor = 60);
create index topup_user_idx on topup (user_id, id);
call guard_tenant_table('topup');
create policy books on topup to holdfast_books using (true) with check (true);
create policy solvency on topup for select to holdfast_operator using (true);
grant select, insert, update (status, provider_payin_id, confirmation_uri, failure_reason,
  error_code, received, received_currency, received_at, fee, reversed, updated_at) on topup to
  holdfast_api;
grant select, update (status, provider_payin_id, confirmation_uri, failure_reason, error_code,
  received, received_currency, received_at, fee, reversed, updated_at) on topup to
  holdfast_worker;
grant select on topup to holdfast_operator;
grant select, update (credited, suspended, suspended_currency, booked_fee, charged_fee,
  booked_reversal) on topup to holdfast_books;

-- The top-up of a pay-in, by each of its two names: our id, and the provider's.
create table payin_reference (
  name text collate "C" not null,
  marketplace_id bigint not null,
  topup_id text collate "C" not null,
  -- Not led by the marketplace: the provider names a pay-in without its marketplace.
  constraint payin_reference_pkey primary key (name)
);
call guard_tenant_table('payin_reference');
create policy operator on payin_reference for select to holdfast_operator using (true);
grant select, insert on payin_reference to holdfast_api, holdfast_worker;
grant select on payin_reference to holdfast_operator;

-- Top-ups whose end is not known yet, or not confirmed by a poll: each with the time of the next
-- poll.
create table topup_poll (
  marketplace_id bigint not null,
  topup_id text collate "C" not null,
  -- The last progress: the longer ago, the rarer the polls.
  since timestamptz not null,
  next_poll_at timestamptz not null,
  -- When an unauthenticated caller last requested a poll.
  poll_requested_at timestamptz,
  primary key (marketplace_id, topup_id)
) with (fillfactor = 60);
create index topup_poll_next_idx on topup_poll (next_poll_at);
call guard_tenant_table('topup_poll');
create policy operator on topup_poll for select to holdfast_operator using (true);
grant select, insert, update, delete on topup_poll to holdfast_api, holdfast_worker;
grant select on topup_poll to holdfast_operator;

-- Withdrawals: a user's money that leaves through the payment provider or over the network. The
-- request is written once; the service may change only its progress. The money is held until the
-- withdrawal ends. As with orders: no foreign keys, and rows are read by one key only.
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
  -- The provider's name for its pay-out, or the transaction of the network.
  provider_payout_id text collate "C",
  transaction_hash text collate "C",
  action_required text,
  action_url text,
  failure_reason text,
  error_code text,
  -- The provider's time of its last report that counted: an older report changes nothing.
  observed_at timestamptz,
  -- The amount that the books have moved to the clearing account for it: what the provider or the
  -- network is known to have paid. Only posting functions change it.
  paid bigint not null default 0,
  -- What was paid out and came back. Only posting functions change it.
  returned bigint not null default 0,
  -- When the provider is polled next. Null: nothing more is expected of it.
  next_poll_at timestamptz,
  -- When it is canceled unless it was committed before.
  expires_at timestamptz not null,
  committed_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint withdrawal_amount_check
    check (amount > 0 and paid >= 0 and returned between 0 and amount),
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
-- Withdrawals that have not ended, for lists by status; and those that are polled.
create index withdrawal_open_idx on withdrawal (status, id)
  where status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED');
create index withdrawal_poll_idx on withdrawal (next_poll_at) where next_poll_at is not null;
create index withdrawal_expiry_idx on withdrawal (expires_at) where status = 'WITHDRAWAL_CREATED';
create index withdrawal_payout_idx on withdrawal (provider_payout_id)
  where provider_payout_id is not null;
call guard_tenant_table('withdrawal');
create policy books on withdrawal to holdfast_books using (true) with check (true);
create policy operator on withdrawal for select to holdfast_operator using (true);
grant select, insert, update (status, provider_payout_id, transaction_hash, action_required,
  action_url, failure_reason, error_code, observed_at, next_poll_at, committed_at, completed_at,
  updated_at) on withdrawal to holdfast_api;
grant select, update (status, provider_payout_id, transaction_hash, action_required, action_url,
  failure_reason, error_code, observed_at, next_poll_at, committed_at, completed_at, updated_at)
  on withdrawal to holdfast_worker;
grant select on withdrawal to holdfast_operator;
grant select, update (paid, returned) on withdrawal to holdfast_books;

-- The destinations of a user's withdrawals, and since when the user has them. The fingerprint covers
-- type, reference and memo, so no address of a person is stored a second time.
create table payout_destination (
  marketplace_id bigint not null references marketplace (id),
  user_id text collate "C" not null,
  fingerprint uuid not null,
  -- When the first withdrawal to it was created: the waiting time starts.
  first_used_at timestamptz not null,
  -- When two operators sent a payout to it before its waiting time was over. Null: never.
  trusted_at timestamptz,
  primary key (marketplace_id, user_id, fingerprint)
);
call guard_tenant_table('payout_destination');
grant select, insert, update (trusted_at) on payout_destination to holdfast_api;

-- What withdrawals use of the payout limits. A row is claimed just before the commit, and counts as
-- soon as it is there; a claim whose commit did not follow stops counting after a minute.
create table payout_use (
  marketplace_id bigint not null references marketplace (id),
  withdrawal_id text collate "C" not null,
  user_id text collate "C" not null,
  -- Dollars, which USD and USDC are alike, or XLM.
  unit text not null,
  amount bigint not null,
  -- Its destination had not waited its time.
  is_cooling boolean not null,
  claimed_at timestamptz not null,
  committed_at timestamptz,
  -- When the money came back for certain: it counts no more.
  given_back_at timestamptz,
  primary key (marketplace_id, withdrawal_id),
  constraint payout_use_unit_check check (unit in ('USD', 'XLM')),
  constraint payout_use_amount_check check (amount > 0)
) with (fillfactor = 70);
create index payout_use_time_idx on payout_use (marketplace_id, unit, claimed_at);
call guard_tenant_table('payout_use');
grant select, insert, update (is_cooling, claimed_at, committed_at, given_back_at)
  on payout_use to holdfast_api;
-- The worker applies what the provider reports of a payout.
grant select, update (given_back_at) on payout_use to holdfast_worker;

-- One pause of payouts for the whole deployment: like the house wallets it belongs to no
-- marketplace.
create table payouts_pause (
  -- One row, and it is always there.
  is_singleton boolean primary key default true,
  paused_at timestamptz,
  -- Of the last change in either direction.
  reason text,
  changed_by text,
  changed_at timestamptz,
  -- A platform admin's request to resume, until another one confirms it.
  resume_requested_by text,
  resume_requested_at timestamptz,
  resume_reason text,
  constraint payouts_pause_singleton_check check (is_singleton),
  constraint payouts_pause_reason_check check (paused_at is null or reason is not null),
  constraint payouts_pause_request_check check (
    num_nulls(resume_requested_by, resume_requested_at, resume_reason) in (0, 3)
    and (paused_at is not null or resume_requested_by is null))
);
insert into payouts_pause default values;
-- The worker pauses after a breach, and never resumes: people decide that, in the API server.
alter table payouts_pause enable row level security;
create policy everyone_sees on payouts_pause for select to holdfast_api, holdfast_worker,
  holdfast_operator, holdfast_auditor using (true);
create policy people_change on payouts_pause for update to holdfast_api, holdfast_operator
  using (true);
create policy worker_pauses on payouts_pause for update to holdfast_worker
  using (paused_at is null) with check (paused_at is not null);
grant select, update on payouts_pause to holdfast_api, holdfast_operator;
grant select, update (paused_at, reason, changed_by, changed_at) on payouts_pause to
  holdfast_worker;
grant select on payouts_pause to holdfast_auditor;

-- Deposits: transfers from external payers to users' addresses on the ledger network. One row per
-- transfer of a network operation, credited or too small to be; each is credited once.
create table deposit (
  marketplace_id bigint not null,
  -- The network's own number of the operation, and which of its transfers: a contract can make
  -- many.
  operation_id text collate "C" not null,
  transfer_index int not null,
  -- The same operation in a list of wallet transactions; the name that balance events give it.
  line_id text collate "C" not null,
  user_id text collate "C" not null,
  address text collate "C" not null,
  from_address text collate "C" not null,
  hash text collate "C" not null,
  asset text not null,
  stroops bigint not null,
  -- The credited amount, in whole cents, and the change of the wallet's dust: below zero where
  -- older dust and this transfer together made a cent.
  currency text not null,
  amount bigint not null,
  dust_stroops bigint not null,
  occurred_at timestamptz not null,
  credited_at timestamptz not null,
  -- Null when it credits nothing.
  entry_id bigint,
  -- Not led by the marketplace: an operation is unique on the whole network.
  constraint deposit_pkey primary key (operation_id, transfer_index),
  constraint deposit_currency_check check (
    case asset when 'USDC' then currency in ('USD', 'USDC') when 'XLM' then currency = 'XLM' end),
  constraint deposit_asset_check check (asset in ('USDC', 'XLM')),
  constraint deposit_stroops_check check (stroops > 0 and stroops = amount * 100000 + dust_stroops),
  constraint deposit_amount_check check (amount >= 0 and dust_stroops between -99999 and 99999)
);
create index deposit_user_idx on deposit (user_id, operation_id);
create index deposit_hash_idx on deposit (hash);
call guard_tenant_table('deposit');
create policy books on deposit to holdfast_books using (true) with check (true);
create policy operator on deposit for select to holdfast_operator using (true);
grant select, insert (marketplace_id, operation_id, transfer_index, line_id, user_id, address,
  from_address, hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at) on
  deposit to holdfast_api, holdfast_worker;
grant select (operation_id, transfer_index) on deposit to holdfast_operator;
grant select, update (entry_id) on deposit to holdfast_books;

-- How far the network's feed of payments is read. The network has one feed for all marketplaces.
create table network_cursor (
  feed text primary key,
  cursor text not null,
  moved_at timestamptz not null,
  constraint network_cursor_feed_check check (feed = 'payments')
);
grant select, insert, update on network_cursor to holdfast_worker;

-- A difference between an address and everything that explains its balance, found by `sync`, and
-- how it was posted.
create table balance_difference (
  marketplace_id bigint not null,
  -- The id of its audit row.
  id text collate "C" not null,
  user_id text collate "C" not null,
  asset text not null,
  address_stroops bigint not null,
  mirrored_stroops bigint not null,
  -- What the address holds beyond everything explained; below zero when it holds less.
  unexplained_stroops bigint not null,
  -- The amount posted against suspense, in cents, and the change of the wallet's dust.
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
  -- Never more than the difference, and never in the opposite direction.
  constraint balance_difference_amount_check check (
    abs(amount * 100000 + dust_stroops) <= abs(unexplained_stroops)
    and sign(amount * 100000 + dust_stroops) in (0, sign(unexplained_stroops))
    and dust_stroops between -99999 and 99999)
);
create index balance_difference_user_idx on balance_difference (user_id, id);
call guard_tenant_table('balance_difference');
create policy books on balance_difference to holdfast_books using (true) with check (true);
grant select, insert (marketplace_id, id, user_id, asset, address_stroops, mirrored_stroops,
  unexplained_stroops, currency, amount, dust_stroops, created_at) on balance_difference to
  holdfast_api;
grant select on balance_difference to holdfast_worker;
grant select, update (entry_id) on balance_difference to holdfast_books;
