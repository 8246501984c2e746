-- Members: people who sign in by themselves. Each is a user like any other, of one marketplace.

-- Members: people who log in by themselves. Each is a user like any other, of one marketplace.
create table member (
  marketplace_id bigint not null references marketplace (id),
  user_id text collate "C" not null,
  -- As typed, and as compared.
  email text not null,
  email_key text collate "C" not null,
  name text not null,
  -- Argon2id, as a PHC string.
  password_hash text not null,
  -- Tokens issued before this moment are invalid.
  tokens_valid_from timestamptz not null,
  -- SHA-256 of the token with which a new password can be set, once.
  reset_token_hash bytea,
  reset_expires_at timestamptz,
  created_at timestamptz not null,
  primary key (marketplace_id, user_id),
  foreign key (marketplace_id, user_id) references users (marketplace_id, id),
  constraint member_email_key unique (marketplace_id, email_key)
);
call guard_tenant_table('member');
create unique index member_reset_token_key on member (marketplace_id, reset_token_hash)
  where reset_token_hash is not null;
grant select, insert, update (tokens_valid_from, password_hash, reset_token_hash,
  reset_expires_at) on member to holdfast_api;

-- Registrations of each hour: of all addresses ('all'), and of each address by its fingerprint.
create table registration_count (
  marketplace_id bigint not null references marketplace (id),
  bucket text collate "C" not null,
  hour timestamptz not null,
  count int not null,
  primary key (marketplace_id, bucket, hour)
);
call guard_tenant_table('registration_count');
grant select, insert, update (count), delete on registration_count to holdfast_api;

-- Wallets that members claim as theirs. Nothing is ever paid to one because of this row alone.
create table wallet_link (
  marketplace_id bigint not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  public_key text collate "C" not null,
  connected_at timestamptz not null,
  -- When a signature proved it.
  proven_at timestamptz,
  primary key (marketplace_id, id),
  foreign key (marketplace_id, user_id) references member (marketplace_id, user_id),
  constraint wallet_link_key unique (marketplace_id, user_id, public_key)
);
call guard_tenant_table('wallet_link');
grant select, insert, update (proven_at) on wallet_link to holdfast_api;

-- Projects. The state of a project is that of its order: nothing here can contradict it.
create table project (
  marketplace_id bigint not null,
  id text collate "C" not null,
  owner_id text collate "C" not null,
  title text not null,
  description text not null,
  budget bigint not null,
  currency text not null,
  -- The newest order that was checked out for it.
  order_id text collate "C",
  created_at timestamptz not null,
  primary key (marketplace_id, id),
  foreign key (marketplace_id, owner_id) references member (marketplace_id, user_id),
  constraint project_budget_check check (budget > 0)
);
create index project_owner_idx on project (marketplace_id, owner_id, id);
call guard_tenant_table('project');
grant select, insert, update (order_id) on project to holdfast_api;
