-- Orders between a buyer and a seller, with their milestones, escrows and disputes. What was agreed
-- is written once; the service may change only how far it has come.
--
-- Serializable transactions collide on index pages, and orders that are busy at the same time are
-- neighbours there. So nothing that a move changes stands in an index: it rewrites a row on its own
-- page and nothing else. An order points at its escrow and its dispute, so that nobody has to look
-- for one that is not there. And no foreign keys: these rows are written in the transaction that
-- made or locked what they point at, nothing of it is ever deleted, and a look would collide.
--
-- A row is looked up by one key only: a planner without statistics takes any other index that begins
-- with the marketplace for as good, reads all of it, and collides with everybody in it.

create table orders (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  buyer_id text collate "C" not null,
  seller_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  -- Rate and fee as they were when the order was made; hundredths of a percent.
  fee_basis_points int not null,
  fee bigint not null,
  title text not null,
  description text,
  -- The caller's own name for the order, and what was asked for under it.
  client_order_ref text,
  request_hash uuid,
  metadata json not null,
  close_reason text,
  -- The escrow that is not archived, and the dispute.
  escrow_id text collate "C",
  dispute_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint orders_request_check check ((client_order_ref is null) = (request_hash is null)),
  constraint orders_parties_check check (buyer_id <> seller_id),
  constraint orders_amount_check check (amount > 0),
  -- Contracts hold USDC, which backs both.
  constraint orders_currency_check check (currency in ('USD', 'USDC')),
  constraint orders_fee_check check (fee_basis_points between 0 and 5000 and fee between 0 and amount),
  constraint orders_status_check check (status in ('ORDER_CREATED', 'FUNDS_RESERVED',
    'ESCROW_CREATING', 'ESCROW_FUNDING', 'IN_PROGRESS', 'RELEASE_REQUESTED', 'RELEASED',
    'REFUND_REQUESTED', 'REFUNDED', 'DISPUTED', 'CLOSED')),
  constraint orders_close_reason_check
    check (close_reason in ('RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED')),
  constraint orders_closed_check check ((status = 'CLOSED') = (close_reason is not null))
) with (fillfactor = 70);
create unique index orders_client_order_ref_key on orders (marketplace_id, client_order_ref)
  where client_order_ref is not null;
create index orders_buyer_idx on orders (buyer_id, id);
create index orders_seller_idx on orders (seller_id, id);
call guard_tenant_table('orders');
create policy books on orders for select to holdfast_books using (true);
grant select, insert on orders to holdfast_app;
grant update (status, close_reason, escrow_id, dispute_id, updated_at) on orders to holdfast_app;
grant select on orders to holdfast_books;

-- Orders that are not closed: what a list by status looks through, since most are closed.
create table open_order (
  marketplace_id bigint not null,
  order_id text collate "C" not null,
  primary key (marketplace_id, order_id)
);
call guard_tenant_table('open_order');
grant select, insert, delete on open_order to holdfast_app;

create table milestone (
  marketplace_id bigint not null,
  -- Ids follow the order in which the milestones were given.
  id text collate "C" not null,
  order_id text collate "C" not null,
  ref text not null,
  title text not null,
  amount bigint not null,
  status text not null,
  completed_at timestamptz,
  primary key (marketplace_id, order_id, ref),
  constraint milestone_amount_check check (amount > 0),
  constraint milestone_status_check check (status in ('OPEN', 'COMPLETED')),
  constraint milestone_completed_check check ((status = 'COMPLETED') = (completed_at is not null))
) with (fillfactor = 55);
call guard_tenant_table('milestone');
grant select, insert on milestone to holdfast_app;
grant update (status, completed_at) on milestone to holdfast_app;

-- Our record of a contract. Roles and fee are those it was deployed with, whatever changes later.
create table escrow (
  marketplace_id bigint not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  status text not null,
  contract_type text not null,
  amount bigint not null,
  fee_basis_points int not null,
  buyer_address text collate "C" not null,
  seller_address text collate "C" not null,
  platform_address text collate "C" not null,
  resolver_address text collate "C" not null,
  -- The transaction that deployed it, and the contract it made.
  deploy_hash text collate "C",
  provider_contract_id text collate "C",
  created_at timestamptz not null,
  funded_at timestamptz,
  released_at timestamptz,
  refunded_at timestamptz,
  archived_at timestamptz,
  primary key (marketplace_id, id),
  constraint escrow_amount_check check (amount > 0),
  constraint escrow_contract_type_check check (contract_type in ('SINGLE_RELEASE', 'MULTI_RELEASE')),
  constraint escrow_status_check check (status in ('CREATING', 'CREATED', 'FUNDING', 'FUNDED',
    'RELEASED', 'REFUNDED', 'DISPUTED', 'ARCHIVED')),
  constraint escrow_contract_check
    check (provider_contract_id is not null or status in ('CREATING', 'ARCHIVED')),
  constraint escrow_funded_check check (
    case when status in ('FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED') then funded_at is not null
      else num_nonnulls(funded_at, released_at, refunded_at) = 0 end),
  constraint escrow_archived_check check ((status = 'ARCHIVED') = (archived_at is not null))
) with (fillfactor = 70);
-- An order has one escrow at a time; one that was given up makes room for another.
create unique index escrow_order_key on escrow (marketplace_id, order_id) where archived_at is null;
call guard_tenant_table('escrow');
grant select, insert on escrow to holdfast_app;
grant update (status, deploy_hash, provider_contract_id, funded_at, released_at, refunded_at,
  archived_at) on escrow to holdfast_app;

-- Whose a contract is. Apart from the escrow, whose row would otherwise leave its page for it.
create table contract (
  provider_contract_id text collate "C" not null,
  marketplace_id bigint not null,
  escrow_id text collate "C" not null,
  -- Not led by the marketplace: a contract is one on the whole network.
  primary key (provider_contract_id)
);
call guard_tenant_table('contract');
grant select, insert on contract to holdfast_app;

create table dispute (
  marketplace_id bigint not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  opened_by text not null,
  reason text not null,
  evidence text[],
  status text not null,
  assigned_to text,
  -- A decision, claimed while it is carried out: of two resolvers one finds it taken.
  decision text,
  release_amount bigint,
  refund_amount bigint,
  note text,
  claimed_by text,
  claimed_operation_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  resolved_at timestamptz,
  primary key (marketplace_id, id),
  constraint dispute_opened_by_check check (opened_by in ('BUYER', 'SELLER')),
  constraint dispute_reason_check check (reason in ('NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER')),
  constraint dispute_status_check check (status in ('OPEN', 'UNDER_REVIEW', 'RESOLVED')),
  constraint dispute_assigned_check check ((status = 'OPEN') = (assigned_to is null)),
  constraint dispute_decision_check check (decision in ('FULL_RELEASE', 'FULL_REFUND', 'SPLIT')),
  constraint dispute_claim_check check (
    num_nonnulls(decision, release_amount, refund_amount, claimed_by, claimed_operation_id)
      = case when decision is null then 0 else 5 end
    and (note is null or decision is not null) and (decision is null or status <> 'OPEN')),
  constraint dispute_amounts_check check (release_amount >= 0 and refund_amount >= 0),
  constraint dispute_resolved_check check (
    (status = 'RESOLVED') = (resolved_at is not null) and (status <> 'RESOLVED' or decision is not null))
) with (fillfactor = 70);
create unique index dispute_unresolved_key on dispute (marketplace_id, order_id) where resolved_at is null;
create index dispute_unresolved_idx on dispute (marketplace_id, id) where resolved_at is null;
call guard_tenant_table('dispute');
grant select, insert on dispute to holdfast_app;
grant update (status, assigned_to, decision, release_amount, refund_amount, note, claimed_by,
  claimed_operation_id, updated_at, resolved_at) on dispute to holdfast_app;

-- An order's own hold: one at a time, found by its order.
create unique index reservation_order_key on reservation (marketplace_id, subject_id)
  where owner = 'order' and remaining > 0;

-- What orders may do with money: a door for each purpose. Amounts and parties come from the order
-- itself and the marketplace is the one that the transaction is bound to, so that a caller names
-- nothing but the order. Every door writes its entry and its hold, and the event that the catalogue
-- has for it; the deed's audit row is the operation's own.

create type books.order_posting as (
  -- Null when it was refused.
  entry_id bigint,
  -- The user's balance afterwards, or as it is where that was too little.
  available bigint,
  reserved bigint
);

create function books.find_order(p_order text) returns orders
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders;
begin
  select * into agreed from orders
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_order;
  if not found then raise exception 'order % is not of this marketplace', p_order; end if;
  return agreed;
end $$;

create function books.lock_order_account(p_order orders, p_kind text, p_owner text) returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  locked account;
begin
  select * into locked from account
  where marketplace_id = p_order.marketplace_id and kind = p_kind and owner_id = p_owner
    and currency = p_order.currency
  for no key update;
  if not found then raise exception '% account of % was never opened', p_kind, p_owner; end if;
  return locked;
end $$;

-- Opens what an order's money will pass through: both parties' accounts, the escrow's, and the one
-- for fees. With the order, and without a look: opened later, orders that are funded or settled at
-- once would collide.
create function books.open_order_accounts(p_now timestamptz, p_order text, p_buyer text,
  p_seller text, p_currency text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into account (marketplace_id, kind, owner_id, currency, updated_at)
  select current_setting('app.marketplace_id')::bigint, wanted.kind, wanted.owner_id, p_currency, p_now
  from (values ('user', p_buyer), ('user', p_seller), ('escrow', p_order), ('fee_income', ''))
    as wanted (kind, owner_id)
  order by wanted.kind, wanted.owner_id
  on conflict on constraint account_owner_key do nothing
$$;

create function books.tell_balance(p_event text, p_user text, p_made entry) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id)
  values (p_made.marketplace_id, p_event, p_user, p_made.id, p_made.actor_id, p_made.correlation_id)
$$;

create function books.add_order_hold(p_order orders, p_reservation text, p_made entry) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (p_order.marketplace_id, p_reservation,
    p_made.to_account, 'order', p_order.id, p_made.amount, p_made.amount, p_made.id, p_made.created_at)
$$;

-- Takes all that the order's own hold has. Null when it has none. By its own index and in one
-- statement: a look at the other keys would make neighbouring orders collide.
create function books.use_order_hold(p_order orders) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_order.marketplace_id and subject_id = p_order.id collate "default"
    and owner = 'order' and remaining > 0
  returning amount into taken;
  return taken;
end $$;

-- Sets the buyer's money aside for the order. Refused when less is available.
create function books.hold_for_order(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  made entry;
begin
  if buyer.available < agreed.amount then
    return row(null, buyer.available, buyer.reserved)::books.order_posting;
  end if;
  made := books.move(p_now, agreed.marketplace_id, 'order_hold', buyer.id, 'available',
    buyer.id, 'reserved', agreed.amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.add_order_hold(agreed, p_reservation, made);
  perform books.tell_balance('balance.reserved', agreed.buyer_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;

-- Gives the buyer back what was set aside: the order is given up.
create function books.return_order_hold(p_now timestamptz, p_order text, p_note text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  taken bigint := books.use_order_hold(agreed);
  made entry;
begin
  if taken is null then raise exception 'order % holds nothing', p_order; end if;
  made := books.move(p_now, agreed.marketplace_id, 'order_hold_return', buyer.id, 'reserved',
    buyer.id, 'available', taken, agreed.id, p_actor, p_correlation, null, p_note);
  perform books.tell_balance('balance.released', agreed.buyer_id, made);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;

-- Turns the order's hold into money in escrow, before anything is sent. Refused when the hold is not
-- there: then `reserved` is what it has.
create function books.fund_escrow(p_now timestamptz, p_order text, p_actor text, p_correlation text)
returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  taken bigint := books.use_order_hold(agreed);
  made entry;
begin
  if taken is null then return row(null, buyer.available, 0)::books.order_posting; end if;
  if taken <> agreed.amount or escrow.available <> 0 then
    raise exception 'order % holds % and has % in escrow', p_order, taken, escrow.available;
  end if;
  made := books.move(p_now, agreed.marketplace_id, 'escrow_fund', buyer.id, 'reserved',
    escrow.id, 'available', taken, agreed.id, p_actor, p_correlation, null, null);
  return row(made.id, made.from_available, made.from_reserved)::books.order_posting;
end $$;

-- Makes money in escrow the order's hold again: the funding provably came to nothing.
create function books.unfund_escrow(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  buyer account := books.lock_order_account(agreed, 'user', agreed.buyer_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  made entry;
begin
  if escrow.available <> agreed.amount then
    raise exception 'order % has % in escrow', p_order, escrow.available;
  end if;
  made := books.move(p_now, agreed.marketplace_id, 'escrow_unfund', escrow.id, 'available',
    buyer.id, 'reserved', agreed.amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.add_order_hold(agreed, p_reservation, made);
  return row(made.id, made.to_available, made.to_reserved)::books.order_posting;
end $$;

-- Pays out of escrow: the seller by a release, the buyer by a refund, and nobody else.
create function books.pay_from_escrow(p_now timestamptz, p_order text, p_purpose text, p_amount bigint,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  payee_id constant text := case p_purpose when 'order_release' then agreed.seller_id
    when 'order_refund' then agreed.buyer_id end;
  payee account := books.lock_order_account(agreed, 'user', payee_id);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  made entry;
begin
  made := books.move(p_now, agreed.marketplace_id, p_purpose, escrow.id, 'available',
    payee.id, 'available', p_amount, agreed.id, p_actor, p_correlation, null, null);
  perform books.tell_balance('balance.credited', payee_id, made);
  return row(made.id, made.to_available, made.to_reserved)::books.order_posting;
end $$;

-- Keeps the platform's fee out of escrow.
create function books.fee_from_escrow(p_now timestamptz, p_order text, p_amount bigint,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  agreed orders := books.find_order(p_order);
  escrow account := books.lock_order_account(agreed, 'escrow', agreed.id);
  house bigint;
  made entry;
begin
  -- Not locked: a house account has no row that anybody waits for.
  select id into strict house from account where marketplace_id = agreed.marketplace_id
    and kind = 'fee_income' and owner_id = '' and currency = agreed.currency;
  made := books.move(p_now, agreed.marketplace_id, 'order_fee', escrow.id, 'available',
    house, 'available', p_amount, agreed.id, p_actor, p_correlation, null, null);
  return made.id;
end $$;

do $$
declare
  routine record;
begin
  for routine in
    select p.oid::regprocedure as signature,
      p.proname in ('find_order', 'lock_order_account', 'tell_balance', 'add_order_hold', 'use_order_hold')
        as is_step
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'books' and p.proowner <> 'holdfast_books'::regrole
  loop
    execute format('alter function %s owner to holdfast_books', routine.signature);
    execute format('revoke execute on function %s from public', routine.signature);
    -- Steps of the doors are not doors of their own.
    continue when routine.is_step;
    execute format('grant execute on function %s to holdfast_app', routine.signature);
  end loop;
end $$;
