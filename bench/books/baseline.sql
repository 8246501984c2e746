-- What the bench compares the service with: the durable work of one balance request, and nothing
-- else, as one call. No roles, policies, checks of the caller or look-ups of a key: every shortcut
-- the service can't take is taken here, so that the baseline is the fastest honest one.
-- The caller passes what is the same for every call, so that nothing is looked up.

create schema bench;
create sequence bench.posted;

create function bench.credit(p_account bigint, p_marketplace bigint, p_house bigint, p_actor text,
  p_id_prefix text) returns void language plpgsql as $$
declare
  entry_number constant bigint := nextval('entry_number');
  made constant bigint := books.entry_id_floor(now()) + (entry_number & 4194303);
  correlation constant text := gen_random_uuid();
  audit_id constant text := 'aud_' || p_id_prefix || lpad(entry_number::text, 16, '0');
  holder record;
begin
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id)
  values (p_marketplace, gen_random_uuid(), gen_random_uuid(), now(), made);
  update account set available = available + 100, version = version + 1, updated_at = now()
  where id = p_account returning available, reserved, version, owner_id into holder;
  insert into entry (marketplace_id, id, kind, currency, amount, from_account, from_bucket,
    to_account, to_bucket, to_seq, to_available, to_reserved, actor_id, correlation_id, created_at)
  values (p_marketplace, made, 'credit', 'USD', 100, p_house, 'available', p_account, 'available',
    holder.version, holder.available, holder.reserved, p_actor, correlation, now());
  insert into house_delta (marketplace_id, account_id, delta) values (p_marketplace, p_house, -100);
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_marketplace, 'balance.credited', holder.owner_id, made, audit_id, p_actor, correlation);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id,
    actor_type, actor_id, result, correlation_id, entry_id)
  values (p_marketplace, audit_id, now(),
    'BALANCE_CREDITED', 'Balance', holder.owner_id, 'API_KEY', p_actor, 'SUCCESS', correlation,
    made);
end $$;

create function bench.reserve(p_account bigint, p_marketplace bigint, p_actor text,
  p_id_prefix text) returns void language plpgsql as $$
declare
  entry_number constant bigint := nextval('entry_number');
  made constant bigint := books.entry_id_floor(now()) + (entry_number & 4194303);
  correlation constant text := gen_random_uuid();
  audit_id constant text := 'aud_' || p_id_prefix || lpad(entry_number::text, 16, '0');
  holder record;
begin
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id)
  values (p_marketplace, gen_random_uuid(), gen_random_uuid(), now(), made);
  update account set available = available - 100, reserved = reserved + 100, version = version + 1,
    updated_at = now()
  where id = p_account returning available, reserved, version, owner_id into holder;
  insert into entry (marketplace_id, id, kind, currency, amount, from_account, from_bucket,
    to_account, to_bucket, from_seq, from_available, from_reserved, actor_id, correlation_id,
    created_at)
  values (p_marketplace, made, 'reserve', 'USD', 100, p_account, 'available', p_account, 'reserved',
    holder.version, holder.available, holder.reserved, p_actor, correlation, now());
  insert into reservation (marketplace_id, id, account_id, owner, amount, remaining, entry_id,
    created_at)
  values (p_marketplace, 'rsv_' || p_id_prefix || lpad(entry_number::text, 16, '0'), p_account,
    'manual', 100, 100, made, now());
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_marketplace, 'balance.reserved', holder.owner_id, made, audit_id, p_actor, correlation);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id,
    actor_type, actor_id, result, correlation_id, entry_id)
  values (p_marketplace, audit_id, now(),
    'BALANCE_RESERVED', 'Balance', holder.owner_id, 'API_KEY', p_actor, 'SUCCESS', correlation,
    made);
end $$;

-- The server's own path for one request: a batch of one, with the arguments the server would pass.
create function bench.post_one(p_kind text, p_account bigint, p_marketplace bigint, p_house bigint,
  p_actor text, p_id_prefix text) returns void language plpgsql as $$
declare
  -- Its own range of ids, apart from those that count by entry number.
  tail constant text := '1' || lpad(nextval('bench.posted')::text, 15, '0');
begin
  perform books.post_batch(now(), null, true, array[row(p_kind, p_marketplace, p_account, null, null,
    case p_kind when 'credit' then p_house end, 100, null, p_actor, gen_random_uuid()::text, null,
    null, gen_random_uuid(), gen_random_uuid(), 'aud_' || p_id_prefix || tail,
    case p_kind when 'reserve' then 'rsv_' || p_id_prefix || tail end, null, null)::books.posting_request]);
end $$;

-- Account and journal only: what books without events, audit and safe retries would pay. On
-- copies of the tables, since such entries would leave the real books incomplete.
create table bench.account (like public.account including all) with (fillfactor = 70);
create table bench.entry (like public.entry including all) partition by range (id);
create table bench.entry_all partition of bench.entry default;
-- The auditor wants every table with a marketplace guarded; it costs its owner nothing.
alter table bench.account enable row level security, force row level security;
alter table bench.entry enable row level security, force row level security;
alter table bench.entry_all enable row level security, force row level security;
create unique index on bench.entry_all (marketplace_id, from_account, from_seq)
  where from_seq is not null;
create unique index on bench.entry_all (marketplace_id, to_account, to_seq)
  where to_seq is not null;

create function bench.books_only(p_account bigint, p_marketplace bigint, p_house bigint,
  p_actor text) returns void language plpgsql as $$
declare
  correlation constant text := gen_random_uuid();
  holder record;
begin
  update bench.account set available = available + 100, version = version + 1, updated_at = now()
  where id = p_account returning available, reserved, version into holder;
  insert into bench.entry (marketplace_id, id, kind, currency, amount, from_account, from_bucket,
    to_account, to_bucket, to_seq, to_available, to_reserved, actor_id, correlation_id, created_at)
  values (p_marketplace, books.entry_id_floor(now()) + (nextval('entry_number') & 4194303),
    'credit', 'USD', 100, p_house, 'available', p_account, 'available', holder.version,
    holder.available, holder.reserved, p_actor, correlation, now());
end $$;
