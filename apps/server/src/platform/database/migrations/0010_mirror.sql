-- The mirror: addresses on the network follow the books. An address should hold what the user's
-- books say and the dust of the wallet; the treasury sends what is missing and takes back what is
-- too much.

-- What is known to be at an address. USD and USDC are both backed by USDC, XLM by itself.
create table wallet_mirror (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  asset text not null,
  -- Our money at the address, as last known: what we sent, what our contracts paid, and deposits
  -- that are credited. A deposit that is not credited yet is not included.
  stroops bigint not null default 0,
  -- Deposited, but too small for the books to count.
  dust_stroops bigint not null default 0,
  -- The sum of all payments of the address up to a position in their list. The rest is summed again
  -- whenever it is needed, since a deposit in it may have been credited in the meantime.
  counted_stroops bigint not null default 0,
  counted_cursor text collate "C",
  -- What no payment explains, as last recorded: more than there should be, or less.
  unexplained_stroops bigint not null default 0,
  -- The last payment out of the address that was not signed by us.
  recorded_cursor text collate "C",
  updated_at timestamptz not null,
  primary key (marketplace_id, user_id, asset),
  constraint wallet_mirror_asset_check check (asset in ('USDC', 'XLM')),
  constraint wallet_mirror_dust_check check (dust_stroops >= 0)
) with (fillfactor = 70);
call guard_tenant_table('wallet_mirror');
create policy solvency on wallet_mirror for select to holdfast_operator using (true);
grant select, insert (marketplace_id, user_id, asset, dust_stroops, updated_at), update
  (dust_stroops) on wallet_mirror to holdfast_api;
grant select, insert, update on wallet_mirror to holdfast_worker;
grant select on wallet_mirror to holdfast_operator;

-- The mirror's queue: users whose address has to be checked. Writers only insert, so that none
-- waits for another's row; the mirror deletes the rows that it has processed.
create table mirror_queue (
  marketplace_id bigint not null,
  id bigint generated always as identity,
  user_id text collate "C" not null,
  -- Something moved on the network, not only in the books.
  has_network_movement boolean not null,
  created_at timestamptz not null,
  primary key (marketplace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index mirror_queue_user_idx on mirror_queue (marketplace_id, user_id);
call guard_tenant_table('mirror_queue');
create policy operator on mirror_queue for select to holdfast_operator using (true);
grant select, insert on mirror_queue to holdfast_api;
grant select, insert, delete on mirror_queue to holdfast_worker;
grant select on mirror_queue to holdfast_operator;

-- Users that are not to be checked before a time, and why.
create table mirror_backoff (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  -- NETWORK: it did not respond. DIFFERENCE: its figures cannot be explained, and may have been
  -- stale. MOVING: an order or a withdrawal of the user is in progress. SHARE: the funded share is
  -- used up. TREASURY: so is the treasury. ESCALATED: the transfer failed.
  reason text not null,
  attempts int not null,
  next_poll_at timestamptz not null,
  primary key (marketplace_id, user_id),
  constraint mirror_backoff_reason_check
    check (reason in ('NETWORK', 'DIFFERENCE', 'MOVING', 'SHARE', 'TREASURY', 'ESCALATED')),
  constraint mirror_backoff_attempts_check check (attempts > 0)
) with (fillfactor = 70);
call guard_tenant_table('mirror_backoff');
create policy operator on mirror_backoff to holdfast_operator using (true) with check (true);
grant select, insert, update, delete on mirror_backoff to holdfast_worker;
grant select, delete on mirror_backoff to holdfast_operator;

-- How far the mirror has read a marketplace's event log.
create table mirror_cursor (
  marketplace_id bigint primary key,
  position bigint not null,
  occurred_at timestamptz not null
) with (fillfactor = 50);
call guard_tenant_table('mirror_cursor');
create policy operator on mirror_cursor for select to holdfast_operator using (true);
grant select, insert, update on mirror_cursor to holdfast_worker;
grant select on mirror_cursor to holdfast_operator;

-- Transfers that share a transaction, stored before anything is signed. A batch that failed is
-- halved, until the transfer that cannot be done is alone.
create table mirror_batch (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  attempts int not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, id),
  constraint mirror_batch_status_check check (status in ('OPEN', 'APPLIED', 'FAILED')),
  constraint mirror_batch_ended_check check ((status = 'OPEN') = (ended_at is null))
) with (fillfactor = 70);
-- Not led by the marketplace: the worker reads batches of all marketplaces.
create index mirror_batch_open_idx on mirror_batch (next_try_at) where status = 'OPEN';
call guard_tenant_table('mirror_batch');
create policy operator on mirror_batch for select to holdfast_operator using (true);
grant select, insert, update (status, attempts, next_try_at, ended_at) on mirror_batch to
  holdfast_worker;
grant select on mirror_batch to holdfast_operator;

create table mirror_item (
  marketplace_id bigint not null,
  batch_id text collate "C" not null,
  user_id text collate "C" not null,
  asset text not null,
  address text collate "C" not null,
  -- To the address; negative from it to the treasury.
  stroops bigint not null,
  status text not null,
  primary key (marketplace_id, batch_id, user_id, asset),
  constraint mirror_item_asset_check check (asset in ('USDC', 'XLM')),
  constraint mirror_item_stroops_check check (stroops <> 0),
  constraint mirror_item_status_check check (status in ('OPEN', 'APPLIED', 'FAILED'))
) with (fillfactor = 70);
-- A user is in one open batch at a time.
create unique index mirror_item_open_key on mirror_item (marketplace_id, user_id, asset)
  where status = 'OPEN';
-- Not led by the marketplace: an address is unique on the whole network.
create index mirror_item_address_idx on mirror_item (address) where status = 'OPEN';
call guard_tenant_table('mirror_item');
create policy operator on mirror_item for select to holdfast_operator using (true);
grant select on mirror_item to holdfast_api;
grant select, insert, update (status) on mirror_item to holdfast_worker;
grant select on mirror_item to holdfast_operator;

-- How much of the treasury a marketplace's addresses may hold, and how much they do, net of what
-- came back.
create table treasury_share (
  marketplace_id bigint not null references marketplace (id),
  asset text not null,
  -- Null: no limit. Valid once it was set; until then the setting's default applies.
  funded_stroops bigint,
  set_at timestamptz,
  drawn_stroops bigint not null default 0,
  -- Since when it is used up and a user waits.
  escalated_at timestamptz,
  primary key (marketplace_id, asset),
  constraint treasury_share_asset_check check (asset in ('USDC', 'XLM')),
  constraint treasury_share_funded_check check (funded_stroops >= 0),
  constraint treasury_share_set_check check (set_at is not null or funded_stroops is null)
) with (fillfactor = 50);
call guard_tenant_table('treasury_share');
create policy operator on treasury_share to holdfast_operator using (true) with check (true);
grant select, insert (marketplace_id, asset, drawn_stroops), update (drawn_stroops, escalated_at)
  on treasury_share to holdfast_worker;
grant select, insert, update on treasury_share to holdfast_operator;

-- Amounts drawn outside of batches, each under the purpose of its envelope, once.
create table treasury_draw (
  marketplace_id bigint not null,
  purpose text collate "C" not null,
  asset text not null,
  stroops bigint not null,
  primary key (marketplace_id, purpose),
  constraint treasury_draw_asset_check check (asset in ('USDC', 'XLM')),
  constraint treasury_draw_stroops_check check (stroops > 0)
);
call guard_tenant_table('treasury_draw');
grant select, insert, delete on treasury_draw to holdfast_worker;
