-- Users of a marketplace, their wallets on the ledger network, and signed transactions.

create table users (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  external_user_id text not null,
  email text,
  -- Found by equality or prefix. An index on lower(email) itself would serve no query: lower() is
  -- not leakproof, so PostgreSQL applies it only after row-level security has read the row.
  email_key text collate "C" generated always as (lower(email)) stored,
  type text not null,
  status text not null,
  deposit_currency text not null,
  payment_account_user_id text,
  payment_account_linked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the user was last frozen: a member's tokens from before are invalid, also after a thaw.
  last_frozen_at timestamptz,
  primary key (marketplace_id, id),
  constraint users_external_user_id_key unique (marketplace_id, external_user_id),
  constraint users_type_check check (type in ('BUYER', 'SELLER', 'BOTH')),
  constraint users_status_check check (status in ('ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION')),
  constraint users_deposit_currency_check check (deposit_currency in ('USD', 'USDC'))
);
-- One account at the payment provider belongs to one user of a marketplace.
create unique index users_payment_account_key on users (marketplace_id, payment_account_user_id)
  where payment_account_user_id is not null;
-- Searches of the console. Only readers use these indexes. None is led by the marketplace, so that
-- no serializable transaction reads them by accident (see 0008_orders.sql).
-- Many users may share an e-mail address, also across marketplaces: one page of them reads no more
-- rows than it returns.
create index users_email_idx on users (email_key, marketplace_id, id) where email_key is not null;
create index users_external_user_idx on users (external_user_id text_pattern_ops);
call guard_tenant_table('users');
create policy books on users for select to holdfast_books using (true);
grant select, insert, update on users to holdfast_api;
grant select, update (status, last_frozen_at, updated_at) on users to holdfast_worker;
grant select on users to holdfast_books;

-- Wallets: one address on the ledger network per user. A seed is sealed with a data key of its own,
-- which is wrapped by a key outside this database; both are bound to wallet and address.
create table wallet (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  -- No foreign key: it is written in its user's own transaction, and the lookup would make users
  -- with neighbouring ids that are created at the same time collide under serializable isolation.
  user_id text collate "C" not null,
  -- WANTED: the user needs one. KEYED: the address is generated and sealed. READY: the network has it.
  status text not null,
  address text collate "C",
  sealed_seed bytea,
  wrapped_key bytea,
  key_version text,
  -- The envelope that brings it to the network: many wallets share one. A wallet from the pool came
  -- with an envelope of the house.
  purpose text collate "C",
  -- The earliest next try, after the network refused it.
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
-- Not led by the marketplace: an address is unique on the whole network.
create unique index wallet_address_key on wallet (address) where address is not null;
-- For the number of wallets of a day, over all marketplaces.
create index wallet_created_idx on wallet (created_at);
create index wallet_not_ready_idx on wallet (created_at) where status <> 'READY';
call guard_tenant_table('wallet');
create policy operator on wallet for select to holdfast_operator using (true);
create policy custody on wallet to holdfast_custody
  using (marketplace_id = current_setting('app.marketplace_id')::bigint)
  with check (marketplace_id = current_setting('app.marketplace_id')::bigint);
-- The seeds are the worker's: neither the API server nor the role that it assumes sees one.
grant select (marketplace_id, id, user_id, status, address, purpose, created_at, ready_at),
  insert (marketplace_id, id, user_id, status, created_at) on wallet to holdfast_api;
grant select, insert (marketplace_id, id, user_id, status, created_at), update (status, address,
  sealed_seed, wrapped_key, key_version, purpose, next_try_at, ready_at) on wallet
  to holdfast_worker;
grant select (marketplace_id, id, user_id, status, address, created_at) on wallet
  to holdfast_operator;
grant select (address), insert on wallet to holdfast_custody;

-- House wallets: treasury, platform, and the pools that let many transactions run at once. They
-- belong to the deployment and to no marketplace.
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
  constraint house_wallet_number_key unique (kind, number),
  constraint house_wallet_kind_check check (kind in ('treasury', 'platform', 'channel', 'resolver'))
);
grant select (kind, number, address, trusted_at) on house_wallet to holdfast_api;
grant select, insert, update on house_wallet to holdfast_worker;
grant select (address) on house_wallet to holdfast_operator;

-- Pooled wallets: ready before they have a user, so that a user has an address at once. They have
-- no marketplace until one is taken, so row-level security has nothing to compare: like the house
-- wallets they belong to the deployment. Taking one deletes it here and writes it into `wallet` in
-- one transaction, with the same id and address, which its seal is bound to.
create table pooled_wallet (
  id text collate "C" primary key,
  -- KEYED: the address is generated and sealed. READY: the network has it. REFUSED: the network
  -- never will; it is purged after a pause in which no others are started.
  status text not null,
  address text collate "C" not null constraint pooled_wallet_address_key unique,
  sealed_seed bytea not null,
  wrapped_key bytea not null,
  key_version text not null,
  -- The envelope of the house that brings it to the network: many wallets share one.
  purpose text collate "C" not null,
  -- The earliest next try, after the network refused it or did not respond.
  next_try_at timestamptz,
  -- Since when a transaction is about to take it.
  claimed_at timestamptz,
  created_at timestamptz not null,
  constraint pooled_wallet_status_check check (status in ('KEYED', 'READY', 'REFUSED')),
  constraint pooled_wallet_claim_check check (claimed_at is null or status = 'READY')
);
create index pooled_wallet_free_idx on pooled_wallet (id)
  where status = 'READY' and claimed_at is null;
-- The API server claims one; `custody.take_pooled_wallet` takes it.
grant select (id, status, claimed_at), update (claimed_at) on pooled_wallet to holdfast_api;
grant select, insert, update, delete on pooled_wallet to holdfast_worker;
grant select (address) on pooled_wallet to holdfast_operator;
grant select, delete on pooled_wallet to holdfast_custody;

-- Signed envelopes, stored before they are sent. One purpose has at most one open envelope; another
-- is created only when the last one provably never took effect.
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
  -- OPEN: the final status is not known. APPLIED, FAILED and EXPIRED are final.
  state text not null,
  result text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (marketplace_id, purpose, attempt),
  constraint envelope_state_check check (state in ('OPEN', 'APPLIED', 'FAILED', 'EXPIRED')),
  -- Without an upper bound nothing could ever prove that an envelope did not take effect.
  constraint envelope_max_time_check check (max_time > 0)
);
-- Not led by the marketplace: a hash is unique on the whole network.
create unique index envelope_hash_key on envelope (hash);
create unique index envelope_open_key on envelope (marketplace_id, purpose)
  where state in ('OPEN', 'APPLIED');
create index envelope_source_idx on envelope (source) where state = 'OPEN';
-- A payment names its transaction; one whose fee another wallet pays has two hashes.
create index envelope_inner_hash_idx on envelope (inner_hash) where inner_hash is not null;
call guard_tenant_table('envelope');
create policy operator on envelope for select to holdfast_operator using (true);
grant select on envelope to holdfast_api;
grant select, insert, update on envelope to holdfast_worker;
grant select on envelope to holdfast_operator;
