-- The books. An account belongs to a user, an order's escrow, or the house. A journal entry moves
-- one amount from one bucket to another, so it balances by its shape: there is nothing to sum.

create table account (
  id bigint generated always as identity primary key,
  marketplace_id bigint not null references marketplace (id),
  kind text not null,
  owner_id text collate "C" not null,
  currency text not null,
  -- Kept for accounts with an owner; house accounts have no row that every transfer must lock,
  -- their balance is the sum of their parts below.
  available bigint not null default 0,
  reserved bigint not null default 0,
  -- The number of entries that touched this account: entry number n of an account has seq n.
  version bigint not null default 0,
  updated_at timestamptz not null,
  constraint account_owner_key unique (marketplace_id, kind, owner_id, currency),
  constraint account_available_check check (available >= 0),
  constraint account_reserved_check check (reserved >= 0),
  -- A bound on the sum, so that moving money within an account can never exceed it.
  constraint account_ceiling_check check (available + reserved <= 100000000000000000),
  constraint account_currency_check check (currency in ('USD', 'USDC', 'XLM')),
  constraint account_kind_check check (kind in ('user', 'escrow', 'adjustments', 'fee_income',
    'provider_fees', 'payment_clearing', 'network_clearing', 'treasury', 'suspense')),
  constraint account_house_check check (
    (kind in ('user', 'escrow')) = (owner_id <> '')
    and (owner_id <> '' or (available = 0 and reserved = 0 and version = 0)))
) with (fillfactor = 70);
call guard_tenant_table('account');
create policy books on account to holdfast_books using (true) with check (true);
grant select on account to holdfast_app;
grant select, insert, update on account to holdfast_books;

-- Partitioned by id, whose upper bits are milliseconds since 2026: a month is a range of ids.
create sequence entry_number as bigint;
grant usage on sequence entry_number to holdfast_books;

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
  -- Place of this entry among its account's, and both balances after it. Null for house accounts,
  -- and on the `to` side when an entry stays within one account.
  from_seq bigint,
  from_available bigint,
  from_reserved bigint,
  to_seq bigint,
  to_available bigint,
  to_reserved bigint,
  -- What it is about (an order, a withdrawal), who asked, in which request.
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
call guard_tenant_table('entry');
create policy books on entry to holdfast_books using (true) with check (true);
grant select on entry to holdfast_app;
grant select, insert on entry to holdfast_books;
create policy sequencer on entry for select to holdfast_sequencer using (true);
grant select on entry to holdfast_sequencer;

-- A house account's balance, in parts: each posting call adds one, a background job folds many
-- into one. Nobody ever waits for a house account's row.
create table house_part (
  marketplace_id bigint not null,
  account_id bigint not null,
  delta bigint not null
);
create index house_part_account_idx on house_part (marketplace_id, account_id);
call guard_tenant_table('house_part');
create policy books on house_part to holdfast_books using (true) with check (true);
grant select on house_part to holdfast_app;
grant select, insert, delete on house_part to holdfast_books;

-- Money set aside, one row per hold, each with its owner; one order can never use another's.
create table reservation (
  marketplace_id bigint not null,
  id text collate "C" not null,
  -- No foreign key: only the posting functions write here, with the account's row locked, and a
  -- look-up per hold would cost a fifth of the call. The auditor checks it.
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
call guard_tenant_table('reservation');
create policy books on reservation to holdfast_books using (true) with check (true);
grant select on reservation to holdfast_app;
grant select, insert, update on reservation to holdfast_books;

-- A credit's or debit's own reference, unique per user, so that repeating the call is safe.
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
grant select on entry_reference to holdfast_app;
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
grant select on adjustment_limit to holdfast_app, holdfast_books;
grant select, insert, update on adjustment_limit to holdfast_operator;

create function books.entry_id_floor(at timestamptz) returns bigint
language sql immutable as $$
  select greatest(0, (extract(epoch from at) * 1000)::bigint - 1767225600000) << 22
$$;
grant usage on schema books to public;

-- Finishes a partition: guarded like its parent, and one row per place: in an account's history, in
-- the log, in the chain. (Unique within a month: a partitioned table can promise no more. Whoever
-- hands the numbers out holds a lock; this catches a bug at once.)
create procedure finish_partition(parent text, part text) language plpgsql as $$
begin
  execute format('alter table public.%I enable row level security', part);
  execute format('alter table public.%I force row level security', part);
  if parent = 'entry' then
    execute format('create unique index %I on public.%I (marketplace_id, from_account, from_seq)
      where from_seq is not null', part || '_from_seq_key', part);
    execute format('create unique index %I on public.%I (marketplace_id, to_account, to_seq)
      where to_seq is not null', part || '_to_seq_key', part);
  elsif parent in ('event', 'audit_link') then
    execute format('create unique index %I on public.%I (marketplace_id, position)',
      part || '_position_key', part);
  end if;
end $$;
revoke execute on procedure finish_partition from public;

-- Monthly partitions of journal, log and audit, made ahead of time. Runs as the owner of the tables and
-- takes nothing but a small number, so that the worker can call it.
create function make_month_partitions(months_ahead int) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month timestamptz;
  following timestamptz;
  parts record;
  made int := 0;
begin
  if months_ahead not between 0 and 24 then
    raise exception 'months_ahead must lie between 0 and 24';
  end if;
  -- Two workers may come at once; the second finds the work done.
  perform pg_advisory_xact_lock(hashtext('make_month_partitions'));
  for ahead in -1..months_ahead loop
    month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead))
      at time zone 'UTC';
    following := ((month at time zone 'UTC') + interval '1 month') at time zone 'UTC';
    for parts in
      select parent, parent || to_char(month at time zone 'UTC', '_YYYY_MM') as part, low, high
      from (values
        ('entry', books.entry_id_floor(month)::text, books.entry_id_floor(following)::text),
        ('event', month::text, following::text),
        ('audit', id_floor('aud', month), id_floor('aud', following)),
        ('audit_link', id_floor('aud', month), id_floor('aud', following))) as bounds (parent, low, high)
    loop
      continue when to_regclass('public.' || parts.part) is not null;
      -- Events happen now or later; an older month was dropped on purpose.
      continue when parts.parent = 'event' and ahead < 0;
      begin
        execute format('create table public.%I partition of public.%I for values from (%L) to (%L)',
          parts.part, parts.parent, parts.low, parts.high);
        call finish_partition(parts.parent, parts.part);
        made := made + 1;
      exception when check_violation then
        -- Rows of this month stand in the default partition: they stay there, safe and found.
        raise warning '% has rows in its default partition', parts.part;
      end;
    end loop;
  end loop;
  return made;
end $$;
revoke execute on function make_month_partitions from public;
grant execute on function make_month_partitions to holdfast_app;

-- Rows of a clock far off still find a home; a month that was never made loses nothing.
create table entry_elsewhen partition of entry default;
create table event_elsewhen partition of event default;
create table audit_elsewhen partition of audit default;
create table audit_link_elsewhen partition of audit_link default;
call finish_partition('entry', 'entry_elsewhen');
call finish_partition('event', 'event_elsewhen');
call finish_partition('audit', 'audit_elsewhen');
call finish_partition('audit_link', 'audit_link_elsewhen');
select make_month_partitions(3);
