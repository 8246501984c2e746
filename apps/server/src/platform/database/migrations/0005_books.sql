-- The books. An account belongs to a user, an order's escrow, or the house. What a user owes is an
-- account too. A journal entry moves
-- one amount from one bucket to another, so it balances by its shape: there is nothing to sum. Only
-- the posting functions of schema books write here; they run as holdfast_books for every caller.

create table account (
  id bigint generated always as identity primary key,
  marketplace_id bigint not null references marketplace (id),
  kind text not null,
  owner_id text collate "C" not null,
  currency text not null,
  -- For accounts with an owner only. A house account has no row that every transfer must lock: its
  -- balance is the sum of its deltas in house_delta.
  available bigint not null default 0,
  reserved bigint not null default 0,
  -- The part of available that cannot be taken: the sum of the account's open liens.
  unconfirmed bigint not null default 0,
  -- The number of entries that touched this account: entry number n of an account has seq n.
  version bigint not null default 0,
  updated_at timestamptz not null,
  constraint account_owner_key unique (marketplace_id, kind, owner_id, currency),
  -- A debt is what a user owes: never above zero.
  constraint account_available_check
    check (case kind when 'debt' then available <= 0 and reserved = 0 else available >= 0 end),
  constraint account_reserved_check check (reserved >= 0),
  constraint account_unconfirmed_check
    check (unconfirmed = 0 or (kind = 'user' and unconfirmed between 1 and available)),
  constraint account_currency_check check (currency in ('USD', 'USDC', 'XLM')),
  constraint account_kind_check check (kind in ('user', 'debt', 'escrow', 'adjustments', 'fee_income',
    'provider_fees', 'payment_fees', 'payment_clearing', 'network_clearing', 'treasury', 'suspense')),
  constraint account_house_check check (
    (kind in ('user', 'debt', 'escrow')) = (owner_id <> '')
    and (owner_id <> '' or (available = 0 and reserved = 0 and version = 0)))
) with (fillfactor = 70);
-- A bound on the sum, so that moving money within an account can never exceed it. As a number: a
-- constraint that calls a function would run it for every statement.
do $$
begin
  execute format('alter table account add constraint account_ceiling_check
    check (available + reserved <= %s)', books.balance_ceiling());
end $$;
call guard_tenant_table('account');
create policy books on account to holdfast_books using (true) with check (true);
-- Solvency is computed over all marketplaces.
create policy solvency on account for select to holdfast_operator using (true);
grant select on account to holdfast_api, holdfast_worker, holdfast_operator;
grant select, insert, update on account to holdfast_books;

-- The lower bits of entry ids.
create sequence entry_number as bigint;
grant usage on sequence entry_number to holdfast_books;

-- The journal. Partitioned by id, whose upper bits are milliseconds since 2026: a month is a range
-- of ids.
create table entry (
  marketplace_id bigint not null,
  id bigint not null,
  kind text not null,
  currency text not null,
  amount bigint not null,
  from_account bigint not null,
  from_bucket text not null,
  to_account bigint not null,
  to_bucket text not null,
  -- The number of this entry in its account's history, and both balances after it. Null for house
  -- accounts, and on the `to` side when an entry stays within one account.
  from_seq bigint,
  from_available bigint,
  from_reserved bigint,
  to_seq bigint,
  to_available bigint,
  to_reserved bigint,
  -- The order or withdrawal it is about, who requested it, and in which request.
  subject_id text,
  actor_id text not null,
  correlation_id text not null,
  reference text,
  note text,
  created_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint entry_amount_check check (amount > 0),
  constraint entry_bucket_check
    check (from_bucket in ('available', 'reserved') and to_bucket in ('available', 'reserved')),
  constraint entry_moves_check check (from_account <> to_account or from_bucket <> to_bucket)
) partition by range (id);
create index entry_subject_idx on entry (subject_id, id) where subject_id is not null;
-- Fees are booked to a house account, which has no numbered history: they are found by their kind.
create index entry_fee_idx on entry (marketplace_id, id) where kind = 'order_fee';
create index entry_reference_idx on entry (reference, id) where reference is not null;
-- House accounts have no numbered history, so their entries are found by the entries' own ids.
create index entry_from_house_idx on entry (from_account, id) where from_seq is null;
create index entry_to_house_idx on entry (to_account, id)
  where to_seq is null and to_account <> from_account;
call guard_tenant_table('entry');
create policy books on entry to holdfast_books using (true) with check (true);
create policy sequencer on entry for select to holdfast_sequencer using (true);
grant select on entry to holdfast_api, holdfast_worker, holdfast_sequencer;
grant select, insert on entry to holdfast_books;

-- Rows with a time far off are stored here, so a missing month loses nothing.
create table entry_default partition of entry default;
call finish_partition('entry', 'entry_default');

-- A house account's balance, in deltas: each posting call adds one, a background job replaces many
-- by their sum. No transaction ever waits for a house account's row.
create table house_delta (
  marketplace_id bigint not null,
  account_id bigint not null,
  delta bigint not null
);
create index house_delta_account_idx on house_delta (marketplace_id, account_id);
call guard_tenant_table('house_delta');
create policy books on house_delta to holdfast_books using (true) with check (true);
create policy solvency on house_delta for select to holdfast_operator using (true);
grant select on house_delta to holdfast_api, holdfast_operator;
grant select, insert, delete on house_delta to holdfast_books;

-- Money set aside, one row per hold, each with its owner; one order can never use another's.
create table reservation (
  marketplace_id bigint not null,
  id text collate "C" not null,
  -- No foreign key: only the posting functions write here, with the account's row locked, and a
  -- lookup per hold would cost a fifth of the call. The auditor checks it.
  account_id bigint not null,
  owner text not null,
  -- The owning order or withdrawal, or the order a manual hold was tagged with.
  subject_id text,
  amount bigint not null,
  remaining bigint not null,
  -- The entry that set the money aside.
  entry_id bigint not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint reservation_owner_check check (owner in ('manual', 'order', 'withdrawal')),
  constraint reservation_owner_subject_check check (owner = 'manual' or subject_id is not null),
  constraint reservation_remaining_check check (amount > 0 and remaining between 0 and amount)
) with (fillfactor = 85);
create index reservation_active_idx on reservation (marketplace_id, account_id, id)
  where remaining > 0;
-- An order's own hold: one at a time, found by its order.
create unique index reservation_order_key on reservation (marketplace_id, subject_id)
  where owner = 'order' and remaining > 0;
-- A withdrawal's own hold: one, found by its withdrawal.
create unique index reservation_withdrawal_key on reservation (marketplace_id, subject_id)
  where owner = 'withdrawal' and remaining > 0;
call guard_tenant_table('reservation');
create policy books on reservation to holdfast_books using (true) with check (true);
grant select on reservation to holdfast_api, holdfast_worker;
grant select, insert, update on reservation to holdfast_books;

-- Money that a user has by the payment provider's notification alone. It is shown as available and
-- cannot be taken until the provider's own record confirms it.
create table lien (
  marketplace_id bigint not null,
  -- The top-up that was credited, or the withdrawal whose hold was returned.
  subject_id text collate "C" not null,
  -- No foreign key, as with reservations.
  account_id bigint not null,
  amount bigint not null,
  opened_at timestamptz not null,
  lifted_at timestamptz,
  primary key (marketplace_id, subject_id),
  constraint lien_amount_check check (amount > 0)
);
create index lien_open_idx on lien (marketplace_id, opened_at) where lifted_at is null;
call guard_tenant_table('lien');
create policy books on lien to holdfast_books using (true) with check (true);
grant select on lien to holdfast_api, holdfast_worker;
grant select, insert, update (lifted_at) on lien to holdfast_books;

-- The caller's own reference of a credit or debit, unique per user, so that repeating the call is
-- safe.
create table entry_reference (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  reference text not null,
  request_hash uuid not null,
  entry_id bigint not null,
  primary key (marketplace_id, user_id, reference)
);
call guard_tenant_table('entry_reference');
create policy books on entry_reference to holdfast_books using (true) with check (true);

grant select, insert on entry_reference to holdfast_books;

-- How far a marketplace may credit its users beyond what it has debited. Null: no limit.
create table adjustment_limit (
  marketplace_id bigint not null references marketplace (id),
  currency text not null,
  limit_minor bigint,
  set_at timestamptz not null,
  primary key (marketplace_id, currency),
  constraint adjustment_limit_check check (limit_minor >= 0)
);
call guard_tenant_table('adjustment_limit');
create policy operator on adjustment_limit to holdfast_operator using (true) with check (true);
create policy books on adjustment_limit for select to holdfast_books using (true);
grant select on adjustment_limit to holdfast_api, holdfast_books;
grant select, insert, update on adjustment_limit to holdfast_operator;

-- One balance request to the books.
create type books.posting_request as (
  kind text,
  marketplace_id bigint,
  account_id bigint,
  -- Of the account, as the caller knows them.
  owner_id text,
  currency text,
  -- The account on the other side; null when money stays within the account.
  house_account_id bigint,
  amount bigint,
  subject_id text,
  actor_id text,
  correlation_id text,
  reference text,
  note text,
  -- The Idempotency-Key in its scope, and the content of the request.
  scope_hash uuid,
  request_hash uuid,
  -- Chosen by the caller, who finds a request by its audit id if its connection is lost.
  audit_id text,
  reservation_id text,
  -- Where the request came from.
  address text,
  user_agent text
);

-- The result of one balance request.
create type books.outcome as (
  item int,
  -- done · refused · replayed (an Idempotency-Key seen before) · repeated (a reference seen before)
  result text,
  entry_id bigint,
  available bigint,
  reserved bigint,
  refusal text,
  refusal_available bigint,
  refusal_reason text,
  request_hash uuid
);

-- How far a batch has changed an account, up to and with one of its requests.
create type books.running_change as (
  -- The account's rank among those of the batch in id order, from 1.
  account_rank int,
  -- The request's number among those of its account, from 1.
  request_number int,
  available_delta bigint,
  reserved_delta bigint
);

-- The journal entry of a request, and its account after it.
create type books.posted_entry as (
  entry_id bigint,
  seq bigint,
  available bigint,
  reserved bigint
);

-- Why a request is refused: the code, the amount that there is, and details for the response.
create type books.posting_refusal as (
  code text,
  current_amount bigint,
  reason text
);

-- The result of posting an order's money.
create type books.order_posting as (
  -- Null when it was refused.
  entry_id bigint,
  -- The user's balance afterwards, or the present one where that was too little.
  available bigint,
  reserved bigint
);

-- The result of posting a withdrawal's money.
create type books.withdrawal_posting as (
  -- Null when it was refused.
  entry_id bigint,
  -- The user's balance afterwards, or the present one where that was too little.
  available bigint,
  reserved bigint
);
