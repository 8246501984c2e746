-- Orders between a buyer and a seller, with their milestones, escrows and disputes. The agreement
-- is written once; the service may change only its progress.
--
-- Serializable transactions collide on index pages, and orders that are busy at the same time are
-- neighbours there. So no column that a status change updates is indexed: the change rewrites a row
-- on its own page and nothing else. An order points at its escrow and its dispute, so that no
-- transaction searches for one that is not there. And no foreign keys: these rows are written in
-- the transaction that created or locked the rows they point at, none of those is ever deleted, and
-- the check would collide.
--
-- A row is read by one key only: a planner without statistics considers any other index that is led
-- by the marketplace just as good, reads all of it, and collides with every transaction in it.

create table orders (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  buyer_id text collate "C" not null,
  seller_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  -- Rate and fee at the time when the order was created; hundredths of a percent.
  fee_basis_points int not null,
  fee bigint not null,
  title text not null,
  description text,
  -- The caller's own name for the order, and a hash of the request that used it.
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
  constraint orders_fee_check
    check (fee_basis_points between 0 and 5000 and fee between 0 and amount),
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
create index orders_reference_idx on orders (client_order_ref text_pattern_ops)
  where client_order_ref is not null;
create index orders_amount_idx on orders (amount, id);
-- For hourly sums: ids start with the machine's time, which may differ from the clock's.
create index orders_created_idx on orders (created_at, marketplace_id) include (currency, amount);
call guard_tenant_table('orders');
create policy books on orders for select to holdfast_books using (true);
create policy operator on orders for select to holdfast_operator using (true);
grant select, insert, update (status, close_reason, escrow_id, dispute_id, updated_at) on orders
  to holdfast_api;
grant select, update (status, close_reason, escrow_id, dispute_id, updated_at) on orders to
  holdfast_worker;
grant select on orders to holdfast_operator;
grant select on orders to holdfast_books;

-- Orders that are not closed, for lists by status: most orders are closed.
create table open_order (
  marketplace_id bigint not null,
  order_id text collate "C" not null,
  primary key (marketplace_id, order_id)
);
call guard_tenant_table('open_order');
create policy solvency on open_order for select to holdfast_operator using (true);
grant select, insert, delete on open_order to holdfast_api;
grant select, delete on open_order to holdfast_worker;
grant select on open_order to holdfast_operator;

create table milestone (
  marketplace_id bigint not null,
  -- Ids are in the order in which the milestones were given.
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
-- Searches by id. Not led by the marketplace, so that no serializable transaction reads it by
-- accident.
create index milestone_id_idx on milestone (id);
call guard_tenant_table('milestone');
grant select, insert, update (status, completed_at) on milestone to holdfast_api;
grant select, update (status, completed_at) on milestone to holdfast_worker;

-- Our record of a contract. Roles and fee are those it was deployed with; later changes do not
-- apply.
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
  -- The transaction that deployed it, and the contract that it created.
  deploy_hash text collate "C",
  provider_contract_id text collate "C",
  created_at timestamptz not null,
  funded_at timestamptz,
  released_at timestamptz,
  refunded_at timestamptz,
  archived_at timestamptz,
  primary key (marketplace_id, id),
  constraint escrow_amount_check check (amount > 0),
  constraint escrow_contract_type_check
    check (contract_type in ('SINGLE_RELEASE', 'MULTI_RELEASE')),
  constraint escrow_status_check check (status in ('CREATING', 'CREATED', 'FUNDING', 'FUNDED',
    'RELEASED', 'REFUNDED', 'DISPUTED', 'ARCHIVED')),
  constraint escrow_contract_check
    check (provider_contract_id is not null or status in ('CREATING', 'ARCHIVED')),
  constraint escrow_funded_check check (
    case when status in ('FUNDED', 'RELEASED', 'REFUNDED', 'DISPUTED') then funded_at is not null
      else num_nonnulls(funded_at, released_at, refunded_at) = 0 end),
  constraint escrow_archived_check check ((status = 'ARCHIVED') = (archived_at is not null))
) with (fillfactor = 70);
-- An order has one escrow at a time; an archived one makes room for another.
create unique index escrow_order_key on escrow (marketplace_id, order_id) where archived_at is null;
-- The contracts that a refused funding left behind: reconciliation reads them.
create index escrow_abandoned on escrow (marketplace_id, id)
  where status = 'ARCHIVED' and provider_contract_id is not null;
call guard_tenant_table('escrow');
create policy operator on escrow for select to holdfast_operator using (true);
grant select, insert, update (status, deploy_hash, provider_contract_id, funded_at, released_at,
  refunded_at, archived_at) on escrow to holdfast_api, holdfast_worker;
grant select on escrow to holdfast_operator;

-- The escrow of each contract. Not a column of the escrow: setting an indexed column would move its
-- row to another page.
create table contract (
  provider_contract_id text collate "C" not null,
  marketplace_id bigint not null,
  escrow_id text collate "C" not null,
  -- Not led by the marketplace: a contract id is unique on the whole network.
  primary key (provider_contract_id)
);
call guard_tenant_table('contract');
create policy operator on contract for select to holdfast_operator using (true);
grant select, insert on contract to holdfast_api, holdfast_worker;
grant select on contract to holdfast_operator;

create table dispute (
  marketplace_id bigint not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  opened_by text not null,
  reason text not null,
  evidence text[],
  status text not null,
  assigned_to text,
  -- A decision, claimed while it is executed: of two resolvers the second finds it taken.
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
    (status = 'RESOLVED') = (resolved_at is not null)
    and (status <> 'RESOLVED' or decision is not null))
) with (fillfactor = 70);
create unique index dispute_unresolved_key on dispute (marketplace_id, order_id)
  where resolved_at is null;
create index dispute_unresolved_idx on dispute (marketplace_id, id) where resolved_at is null;
call guard_tenant_table('dispute');
create policy solvency on dispute for select to holdfast_operator using (true);
grant select, insert, update (status, assigned_to, decision, release_amount, refund_amount, note,
  claimed_by, claimed_operation_id, updated_at, resolved_at) on dispute to holdfast_api;
grant select, update (status, assigned_to, decision, release_amount, refund_amount, note,
  claimed_by, claimed_operation_id, updated_at, resolved_at) on dispute to holdfast_worker;
grant select on dispute to holdfast_operator;

-- Internal notes on disputes. Written once; the parties never see them.
create table dispute_note (
  marketplace_id bigint not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  written_by text not null,
  note text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, dispute_id, id)
);
create index dispute_note_id_idx on dispute_note (id);
call guard_tenant_table('dispute_note');
grant select, insert on dispute_note to holdfast_api;

-- Statements and evidence that either party adds after a dispute was opened. Written once; the
-- evidence of the party that opened it is in the dispute itself.
create table dispute_evidence (
  marketplace_id bigint not null,
  dispute_id text collate "C" not null,
  id text collate "C" not null,
  party text not null,
  statement text,
  evidence text[] not null,
  added_by text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, dispute_id, id),
  constraint dispute_evidence_party_check check (party in ('BUYER', 'SELLER')),
  constraint dispute_evidence_content_check
    check (statement is not null or cardinality(evidence) > 0)
);
create index dispute_evidence_id_idx on dispute_evidence (id);
call guard_tenant_table('dispute_evidence');
grant select, insert on dispute_evidence to holdfast_api;
