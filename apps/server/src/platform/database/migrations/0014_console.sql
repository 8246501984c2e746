-- The console: operators and their sessions, approvals, the request log and hourly figures.

-- Operators: people who sign in to the console. They belong to no marketplace; a membership is a
-- role in one. Only the role of the platform's own routes reaches these tables.
create table operator (
  id text collate "C" primary key,
  -- As typed, and as compared.
  email text not null,
  email_key text collate "C" not null constraint operator_email_key unique,
  name text not null,
  -- Argon2id, as a PHC string. Null until the person has enrolled, and after a reset.
  password_hash text,
  -- Sealed with a key of the configuration; the version says which.
  totp_secret bytea,
  totp_key_version text,
  -- The step of the last accepted code: no code is accepted twice, and none before it.
  totp_step bigint not null default 0,
  -- Wrong codes in a row lock an operator out for a while, ever longer: a known password must not
  -- allow trying codes until one fits. A right code resets the count.
  failed_code_count int not null default 0,
  locked_until timestamptz,
  status text not null,
  is_platform_admin boolean not null,
  last_signed_in_at timestamptz,
  -- A new operator approves nothing before this time.
  approves_from timestamptz,
  created_at timestamptz not null,
  constraint operator_status_check check (status in ('INVITED', 'ENROLLED', 'ACTIVE', 'DISABLED')),
  constraint operator_credentials_check check (
    num_nulls(password_hash, totp_secret, totp_key_version) in (0, 3)
    and (status <> 'INVITED' or password_hash is null)
    and (status not in ('ENROLLED', 'ACTIVE') or password_hash is not null))
);
grant select, insert, update (password_hash, totp_secret, totp_key_version, totp_step, status,
  last_signed_in_at, failed_code_count, locked_until, approves_from) on operator
  to holdfast_operator;
grant select on operator to holdfast_auditor;

-- The latest invitation of an operator. Only a SHA-256 of its token is stored: a reader of this
-- table can use none of them.
create table operator_invitation (
  operator_id text collate "C" primary key references operator (id),
  token_hash bytea not null constraint operator_invitation_token_hash_key unique,
  -- An operator, or `master`. Another one has to activate.
  invited_by text not null,
  expires_at timestamptz not null,
  -- The secret that the page showed last. It becomes the operator's when the person enrolls.
  totp_secret bytea,
  totp_key_version text,
  -- Set when the person has enrolled. The confirmation code depends on it, so it cannot be computed
  -- from the credentials alone.
  used_at timestamptz,
  confirmation_salt bytea,
  wrong_code_count int not null default 0,
  created_at timestamptz not null,
  constraint operator_invitation_token_hash_check check (octet_length(token_hash) = 32),
  constraint operator_invitation_secret_check
    check (num_nulls(totp_secret, totp_key_version) in (0, 2)),
  constraint operator_invitation_used_check check (num_nulls(used_at, confirmation_salt) in (0, 2))
);
grant select, insert, update, delete on operator_invitation to holdfast_operator;
grant select on operator_invitation to holdfast_auditor;

-- What the codes of operators have proved: one code, one action with one body.
create table operator_proof (
  operator_id text collate "C" not null references operator (id),
  totp_step bigint not null,
  action text not null,
  request_hash uuid not null,
  taken_at timestamptz not null,
  primary key (operator_id, totp_step)
);
grant select, insert on operator_proof to holdfast_operator;
grant select on operator_proof to holdfast_auditor;

create table operator_membership (
  marketplace_id bigint not null references marketplace (id),
  operator_id text collate "C" not null references operator (id),
  role text not null,
  created_at timestamptz not null,
  primary key (marketplace_id, operator_id),
  constraint operator_membership_role_check
    check (role in ('viewer', 'support', 'finance', 'admin'))
);
create index operator_membership_operator_idx on operator_membership (operator_id);
call guard_tenant_table('operator_membership');
create policy operator on operator_membership to holdfast_operator using (true) with check (true);
grant select, insert, delete on operator_membership to holdfast_operator;

-- Only a SHA-256 of the token is stored: a reader of this table can use none of them.
create table operator_session (
  id bigint generated always as identity primary key,
  public_id text collate "C" not null constraint operator_session_public_id_key unique,
  token_hash bytea not null constraint operator_session_token_hash_key unique,
  operator_id text collate "C" not null references operator (id),
  -- A token that arrives with another user agent was stolen.
  user_agent_hash bytea not null,
  -- Of the sign-in, for the operator to recognize the session by.
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint operator_session_token_hash_check check (octet_length(token_hash) = 32)
);
create index operator_session_operator_idx on operator_session (operator_id) where ended_at is null;
grant select, insert, update (last_seen_at, ended_at) on operator_session to holdfast_operator;
grant select on operator_session to holdfast_auditor;

-- Approvals: requests of one operator that another one must approve. The request is stored as it
-- was sent, and is executed by the route that received it.
create table approval (
  -- 0 for requests outside all marketplaces, which another platform admin approves.
  marketplace_id bigint not null,
  id text collate "C" not null,
  status text not null,
  -- The endpoint, and the resource that its path names.
  action text not null,
  resource_id text collate "C" not null,
  request jsonb not null,
  -- Endpoint, path and body: there is one pending request for the same thing at a time.
  request_hash uuid not null,
  -- Null where the action is about no amount of money.
  amount bigint,
  currency text,
  reason text not null,
  requested_by text collate "C" not null references operator (id),
  requested_by_email text not null,
  requested_by_name text not null,
  decided_by text collate "C" references operator (id),
  decided_by_email text,
  decided_by_name text,
  decision_reason text,
  decided_at timestamptz,
  refusal_code text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint approval_status_check
    check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'EXECUTED', 'FAILED')),
  constraint approval_amount_check check (num_nulls(amount, currency) in (0, 2)),
  constraint approval_second_approver_check check (decided_by <> requested_by),
  constraint approval_decision_check check (
    (status in ('PENDING', 'EXPIRED')) = (decided_by is null)
    and num_nulls(decided_by, decided_by_email, decided_by_name, decided_at) in (0, 4))
);
create unique index approval_pending_key on approval (marketplace_id, request_hash)
  where status = 'PENDING';
create index approval_resource_idx on approval (marketplace_id, resource_id, id);
call guard_tenant_table('approval');
create policy platform on approval to holdfast_operator
  using (marketplace_id = 0) with check (marketplace_id = 0);
grant select, insert, update (status, decided_by, decided_by_email, decided_by_name,
  decision_reason, decided_at, refusal_code, updated_at)
  on approval to holdfast_api, holdfast_operator;

-- What operators decided without a second approver, one row for each recipient. The sums of a day
-- count against the approval limit, so that many small decisions need a second approver as one
-- large decision does.
create table decided_alone (
  marketplace_id bigint not null references marketplace (id),
  id bigint generated always as identity,
  operator_id text collate "C" not null references operator (id),
  user_id text collate "C" not null,
  action text not null,
  resource_id text collate "C" not null,
  amount bigint not null,
  currency text not null,
  decided_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint decided_alone_amount_check check (amount > 0)
);
create index decided_alone_time_idx on decided_alone (marketplace_id, decided_at);
call guard_tenant_table('decided_alone');
grant select, insert on decided_alone to holdfast_api;

-- The requests of the last days, for support. Written in batches after the response; a day is a
-- partition, and is dropped as a whole. It proves nothing: the audit log does.
create table request_log (
  marketplace_id bigint not null,
  -- Starts with the time, so a range of ids is a range of time and days can be partitions.
  id text collate "C" not null,
  occurred_at timestamptz not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  latency_ms int not null,
  actor_id text not null,
  request_id text not null,
  idempotency_key text,
  is_replay boolean not null,
  error_code text,
  address text,
  user_agent text,
  primary key (marketplace_id, id)
) partition by range (id);
create index request_log_error_idx on request_log (marketplace_id, id) where status >= 400;
create index request_log_actor_idx on request_log (actor_id, id);
create index request_log_request_idx on request_log (request_id, id);
create index request_log_key_idx on request_log (idempotency_key, id)
  where idempotency_key is not null;
call guard_tenant_table('request_log');
create policy operator on request_log for insert to holdfast_operator with check (true);
grant select on request_log to holdfast_api;
grant insert on request_log to holdfast_operator;

create table request_log_default partition of request_log default;
call finish_partition('request_log', 'request_log_default');

-- The first days until a worker creates more.
select maintain_request_log_partitions(7);

-- The figures of the console's first page. Past hours never change, so each is summed once, by the
-- worker; readers add the hours since then.
create table insight_hour (
  marketplace_id bigint not null,
  hour timestamptz not null,
  currency text not null,
  -- The change of reserved money, and of money in escrow.
  reserved bigint not null,
  escrow bigint not null,
  created int not null,
  created_amount bigint not null,
  funded int not null,
  funded_amount bigint not null,
  released int not null,
  released_amount bigint not null,
  refunded int not null,
  refunded_amount bigint not null,
  fees bigint not null,
  paid_in bigint not null,
  paid_out bigint not null,
  primary key (marketplace_id, hour, currency)
);
call guard_tenant_table('insight_hour');
grant select on insight_hour to holdfast_api;
grant select, insert on insight_hour to holdfast_worker;

-- Up to which hour a marketplace's hours are summed.
create table insight_head (
  marketplace_id bigint primary key references marketplace (id),
  summed_until timestamptz not null
);
call guard_tenant_table('insight_head');
create policy operator on insight_head for select to holdfast_operator using (true);
grant select on insight_head to holdfast_api;
grant select, insert, update on insight_head to holdfast_worker;
grant select on insight_head to holdfast_operator;
