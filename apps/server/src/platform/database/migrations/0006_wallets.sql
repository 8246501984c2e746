-- Wallets: one address on the ledger network per user. A seed is sealed with a data key of its own,
-- which is wrapped by a key outside this database; both are bound to wallet and address.
create table wallet (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  -- No foreign key: it is written in its user's own transaction, and the look-up would make users
  -- that are created at once, with neighbouring ids, collide under serializable isolation.
  user_id text collate "C" not null,
  -- WANTED: the user exists. KEYED: the address is made and sealed. READY: the network has it.
  status text not null,
  address text collate "C",
  sealed_seed bytea,
  wrapped_key bytea,
  key_version text,
  -- The envelope that brings it to the network: many wallets share one. A wallet that was a spare
  -- came by one of the house.
  purpose text collate "C",
  -- Not before this time, after the network refused it.
  next_try_at timestamptz,
  created_at timestamptz not null,
  ready_at timestamptz,
  primary key (marketplace_id, id),
  constraint wallet_user_key unique (marketplace_id, user_id),
  constraint wallet_status_check check (status in ('WANTED', 'KEYED', 'READY')),
  constraint wallet_sealed_check check (
    (status = 'WANTED') = (address is null)
    and num_nulls(address, sealed_seed, wrapped_key, key_version) in (0, 4))
);
-- Not led by the marketplace: an address is one on the whole network.
create unique index wallet_address_key on wallet (address) where address is not null;
create index wallet_unready_idx on wallet (created_at) where status <> 'READY';
call guard_tenant_table('wallet');
grant select, insert, update on wallet to holdfast_app;

-- Wallets of the house: treasury, platform, and the pools that let many transactions run at once.
-- They belong to the cell and to no marketplace.
create table house_wallet (
  id text collate "C" primary key,
  kind text not null,
  number int not null,
  address text collate "C" not null constraint house_wallet_address_key unique,
  sealed_seed bytea not null,
  wrapped_key bytea not null,
  key_version text not null,
  created_at timestamptz not null,
  -- Since when it can hold USDC.
  trusted_at timestamptz,
  constraint house_wallet_place_key unique (kind, number),
  constraint house_wallet_kind_check check (kind in ('treasury', 'platform', 'channel', 'resolver'))
);
grant select, insert, update on house_wallet to holdfast_app;

-- Spare wallets: finished ones that wait for their user, so that a user has its address from the
-- first moment. No marketplace until somebody takes one, so there is nothing for row-level security
-- to compare: like the house's, they are the cell's. Taking one deletes it here and writes it into
-- `wallet` in one transaction, with the same id and address, which its seal is bound to.
create table spare_wallet (
  id text collate "C" primary key,
  -- KEYED: the address is made and sealed. READY: the network has it. REFUSED: the network never
  -- will; it is forgotten after a pause, in which no others are begun.
  status text not null,
  address text collate "C" not null constraint spare_wallet_address_key unique,
  sealed_seed bytea not null,
  wrapped_key bytea not null,
  key_version text not null,
  -- The envelope that brings it to the network, one of the house: many wallets share one.
  purpose text collate "C" not null,
  -- Not before this time, after the network refused it or did not answer.
  next_try_at timestamptz,
  -- Since when somebody is about to take it.
  claimed_at timestamptz,
  created_at timestamptz not null,
  constraint spare_wallet_status_check check (status in ('KEYED', 'READY', 'REFUSED')),
  constraint spare_wallet_claim_check check (claimed_at is null or status = 'READY')
);
create index spare_wallet_free_idx on spare_wallet (id) where status = 'READY' and claimed_at is null;
grant select, insert, update, delete on spare_wallet to holdfast_app;

-- Takes a spare out of the stock, inside the transaction of its user. By the index even where the
-- table is so small that a scan is cheaper: under serializable isolation a scan has read every
-- spare, and users that are created at once would collide.
create function take_spare_wallet(wallet_id text) returns setof spare_wallet
language sql set enable_seqscan = off as $$
  delete from spare_wallet where id = wallet_id returning *
$$;
revoke execute on function take_spare_wallet from public;
grant execute on function take_spare_wallet to holdfast_app;

-- Signed envelopes, written down before they are sent. One purpose has at most one open envelope;
-- another is made only when the last one provably never took effect.
create table envelope (
  marketplace_id bigint not null,
  purpose text collate "C" not null,
  attempt int not null,
  hash text collate "C" not null,
  inner_hash text collate "C",
  xdr text not null,
  source text not null,
  sequence numeric(20, 0) not null,
  max_time bigint not null,
  -- OPEN: its fate is not known. APPLIED, FAILED and EXPIRED are final.
  state text not null,
  result text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (marketplace_id, purpose, attempt),
  constraint envelope_state_check check (state in ('OPEN', 'APPLIED', 'FAILED', 'EXPIRED')),
  -- Without an upper bound nothing could ever prove that an envelope did not take effect.
  constraint envelope_max_time_check check (max_time > 0)
);
-- So is a hash.
create unique index envelope_hash_key on envelope (hash);
create unique index envelope_open_key on envelope (marketplace_id, purpose) where state in ('OPEN', 'APPLIED');
call guard_tenant_table('envelope');
grant select, insert, update on envelope to holdfast_app;

-- Work that waits, over all marketplaces: only where to look, never what is there.
create schema work authorization holdfast_operator;
grant usage on schema work to holdfast_app;
create policy operator on wallet for select to holdfast_operator using (true);
grant select on wallet to holdfast_operator;

create function work.wallets_to_make(at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, m.public_id, w.id
  from wallet w join marketplace m on m.id = w.marketplace_id
  where w.status <> 'READY' order by w.created_at limit at_most
$$;
alter function work.wallets_to_make owner to holdfast_operator;
revoke execute on function work.wallets_to_make from public;
grant execute on function work.wallets_to_make to holdfast_app;

-- One account at the payment provider belongs to one user of a marketplace.
create unique index users_payment_account_key on users (marketplace_id, payment_account_user_id)
  where payment_account_user_id is not null;
