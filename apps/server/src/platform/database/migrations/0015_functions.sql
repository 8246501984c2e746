-- Functions, generated from apps/server/src/platform/database/functions: do not edit.
-- Bodies are not checked while they are created, since each may call one that comes later.
set local check_function_bodies = off;

-- functions/access/approves_from.sql
-- Until when an operator approves nothing; null for one who may. A marketplace's role cannot read
-- the table itself.
create or replace function access.approves_from(wanted_operator text, wanted_at timestamptz)
returns timestamptz
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select approves_from from operator where id = wanted_operator and approves_from > wanted_at
$$;
alter function access.approves_from owner to holdfast_operator;
revoke execute on function access.approves_from from public;
grant execute on function access.approves_from to holdfast_api;

-- functions/access/find_api_key.sql
-- The key behind a secret, or a key by its id, with its marketplace. The caller has no marketplace
-- yet, so row-level security cannot be applied here.
create or replace function access.find_api_key(wanted_hash bytea, wanted_id text)
returns table (id text, family_id text, name text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, marketplace_id bigint, marketplace_public_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.id, k.family_id, k.name, k.scopes, k.expires_at, k.revoked_at, m.id, m.public_id
  from api_key k join marketplace m on m.id = k.marketplace_id
  where (wanted_hash is not null and k.key_hash = wanted_hash)
     or (wanted_hash is null and k.id = wanted_id)
$$;
alter function access.find_api_key owner to holdfast_operator;
revoke execute on function access.find_api_key from public;
grant execute on function access.find_api_key to holdfast_api;

-- functions/access/find_invitation.sql
-- The operator of an invitation that can still be used. Its caller is not known yet.
create or replace function access.find_invitation(shown_hash bytea, shown_at timestamptz)
returns table (id text, email text, name text, is_platform_admin boolean, expires_at timestamptz,
  totp_secret bytea, totp_key_version text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.email, o.name, o.is_platform_admin, i.expires_at, i.totp_secret,
    i.totp_key_version
  from operator_invitation i join operator o on o.id = i.operator_id
  where i.token_hash = shown_hash and i.used_at is null and i.expires_at > shown_at
    and o.status = 'INVITED'
$$;
alter function access.find_invitation owner to holdfast_operator;
revoke execute on function access.find_invitation from public;
grant execute on function access.find_invitation to holdfast_api;

-- functions/access/find_marketplace.sql
-- The number of a marketplace by its public id, for callers that act outside of one.
create or replace function access.find_marketplace(wanted_public_id text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id from marketplace where public_id = wanted_public_id
$$;
alter function access.find_marketplace owner to holdfast_operator;
revoke execute on function access.find_marketplace from public;
grant execute on function access.find_marketplace to holdfast_api;

-- functions/access/find_membership.sql
-- The role of an active operator. An approved request is executed in the name of its requester, who
-- must still have the role.
create or replace function access.find_membership(wanted_operator text, wanted_marketplace bigint)
returns table (email text, name text, role text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.email, o.name, b.role from operator o
  join operator_membership b on b.operator_id = o.id and b.marketplace_id = wanted_marketplace
  where o.id = wanted_operator and o.status = 'ACTIVE'
$$;
alter function access.find_membership owner to holdfast_operator;
revoke execute on function access.find_membership from public;
grant execute on function access.find_membership to holdfast_api;

-- functions/access/find_operator.sql
-- An operator by e-mail address, to check a sign-in.
create or replace function access.find_operator(wanted_email_key text)
returns table (id text, email text, name text, password_hash text, totp_secret bytea,
  totp_key_version text, status text, is_platform_admin boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select id, email, name, password_hash, totp_secret, totp_key_version, status, is_platform_admin
  from operator where email_key = wanted_email_key
$$;
alter function access.find_operator owner to holdfast_operator;
revoke execute on function access.find_operator from public;
grant execute on function access.find_operator to holdfast_api;

-- functions/access/inactive_keys.sql
-- Which of these keys have ended: revoked or expired.
create or replace function access.inactive_keys(key_ids text[], at timestamptz) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(key_ids) as wanted
  where not exists (select from api_key k where k.id = wanted and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > at))
$$;
alter function access.inactive_keys owner to holdfast_operator;
revoke execute on function access.inactive_keys from public;
grant execute on function access.inactive_keys to holdfast_api;

-- functions/access/inactive_memberships.sql
-- Which of these event streams must close, by their position in the list: the session has ended, or
-- its operator is no longer a member of the marketplace.
create or replace function access.inactive_memberships(session_ids bigint[], marketplace_ids bigint[],
  wanted_at timestamptz, idle interval)
returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted.place::int
  from unnest(session_ids, marketplace_ids) with ordinality as wanted (id, marketplace_id, place)
  left join operator_session s on s.id = wanted.id and s.ended_at is null
    and s.expires_at > wanted_at and s.last_seen_at + idle > wanted_at
  left join operator o on o.id = s.operator_id and o.status = 'ACTIVE'
  left join operator_membership b on b.operator_id = o.id
    and b.marketplace_id = wanted.marketplace_id
  where b.operator_id is null
$$;
alter function access.inactive_memberships owner to holdfast_operator;
revoke execute on function access.inactive_memberships from public;
grant execute on function access.inactive_memberships to holdfast_api;

-- functions/access/operator_names.sql
-- The names of the operators that a marketplace meets in its audit log: those who have or had a
-- role in it, and the platform's admins, who act in every one. Nothing but their names.
create or replace function access.operator_names(wanted_marketplace bigint, after_id text,
  wanted_count int)
returns table (id text, name text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.id, o.name from operator o
  where (after_id is null or o.id < after_id)
    and (o.is_platform_admin
      or exists (select from operator_membership b
        where b.marketplace_id = wanted_marketplace and b.operator_id = o.id)
      or exists (select from audit a
        where a.marketplace_id = wanted_marketplace and a.resource_id = o.id collate "default"
          and a.action = 'OPERATOR_MEMBERSHIP_SET'))
  order by o.id desc limit wanted_count
$$;
alter function access.operator_names owner to holdfast_operator;
revoke execute on function access.operator_names from public;
grant execute on function access.operator_names to holdfast_api;

-- functions/access/record_key_use.sql
-- Records when keys were last used, many at a time and never backward. The rows are locked in the
-- order of their ids, so that two batches cannot deadlock.
create or replace function access.record_key_use(key_ids text[], used_at timestamptz[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with locked as (select id from api_key where id = any (key_ids) order by id for update)
  update api_key k set last_used_at = used.at
  from unnest(key_ids, used_at) as used (id, at), locked
  where k.id = used.id and k.id = locked.id and (k.last_used_at is null or k.last_used_at < used.at)
$$;
alter function access.record_key_use owner to holdfast_operator;
revoke execute on function access.record_key_use from public;
grant execute on function access.record_key_use to holdfast_api;

-- functions/access/resolve_session.sql
-- The operator that a session token stands for, with the role in the requested marketplace. A token
-- that arrives with another user agent was stolen: its session ends.
create or replace function access.resolve_session(shown_hash bytea, shown_agent bytea,
  shown_at timestamptz, idle interval, wanted_marketplace text)
returns table (session_id bigint, expires_at timestamptz, operator_id text, email text, name text,
  is_platform_admin boolean, marketplace_id bigint, marketplace_public_id text, role text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_session operator_session;
begin
  select s.* into found_session from operator_session s
  where s.token_hash = shown_hash and s.ended_at is null
    and s.expires_at > shown_at and s.last_seen_at + idle > shown_at;
  if not found then return; end if;
  if found_session.user_agent_hash <> shown_agent then
    update operator_session s set ended_at = shown_at
    where s.id = found_session.id and s.ended_at is null;
    return;
  end if;
  -- Accurate to the minute, so that most requests only read.
  if found_session.last_seen_at < shown_at - interval '1 minute' then
    update operator_session s set last_seen_at = shown_at
    where s.id = found_session.id and s.last_seen_at < shown_at;
  end if;
  return query
    select found_session.id, found_session.expires_at, o.id, o.email, o.name, o.is_platform_admin,
      m.id, m.public_id, b.role
    from operator o
    left join (operator_membership b
      join marketplace m on m.id = b.marketplace_id and m.public_id = wanted_marketplace)
      on b.operator_id = o.id
    where o.id = found_session.operator_id and o.status = 'ACTIVE';
end $$;
alter function access.resolve_session owner to holdfast_operator;
revoke execute on function access.resolve_session from public;
grant execute on function access.resolve_session to holdfast_api;

-- functions/access/take_proof.sql
-- Takes the step of an operator's code once, and records what it proved. False for a step that was
-- taken, for any before it, and for an operator who is locked out.
create or replace function access.take_proof(wanted_operator text, shown_step bigint,
  shown_at timestamptz, proved_action text, proved_request uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update operator o set totp_step = shown_step, failed_code_count = 0, locked_until = null
  where o.id = wanted_operator and o.totp_step < shown_step and o.status = 'ACTIVE'
    and (o.locked_until is null or o.locked_until <= shown_at);
  if not found then return false; end if;
  insert into operator_proof (operator_id, totp_step, action, request_hash, taken_at)
  values (wanted_operator, shown_step, proved_action, proved_request, shown_at);
  return true;
end $$;
alter function access.take_proof owner to holdfast_operator;
revoke execute on function access.take_proof from public;
grant execute on function access.take_proof to holdfast_api;

-- functions/books/actor_type_of.sql
-- The kind of actor behind an actor id.
create or replace function books.actor_type_of(p_actor text) returns text
language sql immutable parallel safe as $$
  select case when p_actor = 'system' then 'SYSTEM' when p_actor like 'opr\_%' then 'OPERATOR'
    else 'API_KEY' end
$$;
alter function books.actor_type_of owner to holdfast_books;
revoke execute on function books.actor_type_of from public;

-- functions/books/audit_action_of.sql
-- The audit action of a balance request of this kind.
create or replace function books.audit_action_of(kind text)
returns text language sql immutable as $$
  select case kind when 'credit' then 'BALANCE_CREDITED' when 'debit' then 'BALANCE_DEBITED'
    when 'reserve' then 'BALANCE_RESERVED' when 'unreserve' then 'BALANCE_UNRESERVED'
    when 'cancel' then 'RESERVATIONS_CANCELED' when 'spend' then 'RESERVED_SPENT' end
$$;
alter function books.audit_action_of owner to holdfast_books;
revoke execute on function books.audit_action_of from public;

-- functions/books/balances/accounts_allow.sql
-- Whether every account of a batch is what its requests take it for, and stays within its bounds all
-- the way. Nothing is taken on trust: marketplace, owner and currency are compared with the
-- account's own.
create or replace function books.accounts_allow(p_requests books.posting_request[],
  p_changes books.running_change[])
returns boolean
language plpgsql stable as $$
begin
  return (
    -- `is true`, since bool_and passes over null: an account that doesn't exist is a no.
    select bool_and((holder.kind = 'user' and holder.marketplace_id = total.marketplace_id
      and holder.owner_id = total.owner_id and holder.currency = total.currency
      and holder.available - holder.unconfirmed + total.lowest_delta >= 0
      and holder.available + holder.reserved + total.highest_delta <= books.balance_ceiling()
      ) is true)
    from (
      select account_id, marketplace_id, owner_id, currency,
        min(available_delta) as lowest_delta,
        max(available_delta + reserved_delta) as highest_delta
      from unnest(p_requests, p_changes)
      group by account_id, marketplace_id, owner_id, currency) total
    left join account holder on holder.id = total.account_id);
end $$;
alter function books.accounts_allow owner to holdfast_books;
revoke execute on function books.accounts_allow from public;

-- functions/books/balances/carry_out.sql
-- Carries out one request that has passed its checks, with its account locked.
create or replace function books.carry_out(p_now timestamptz, p_request books.posting_request,
  p_holder account)
returns books.outcome
language plpgsql as $$
declare
  takes_holds constant boolean := p_request.kind in ('unreserve', 'spend', 'cancel');
  new_entry entry;
  outcome books.outcome;
begin
  if takes_holds and not books.consume_manual_holds(p_holder, p_request.subject_id, p_request.amount)
  then
    raise exception 'holds of account % changed under its lock', p_holder.id;
  end if;
  new_entry := books.post_entry(p_now, p_request.marketplace_id,
    case p_request.kind when 'cancel' then 'unreserve' else p_request.kind end,
    case p_request.kind when 'credit' then p_request.house_account_id else p_holder.id end,
    case when takes_holds then 'reserved' else 'available' end,
    case when p_request.kind in ('debit', 'spend') then p_request.house_account_id else p_holder.id end,
    case p_request.kind when 'reserve' then 'reserved' else 'available' end,
    p_request.amount, p_request.subject_id, p_request.actor_id, p_request.correlation_id,
    p_request.reference, p_request.note);
  perform books.record_posting(p_request, p_holder, new_entry);
  outcome.result := 'done';
  outcome.entry_id := new_entry.id;
  outcome.available := coalesce(new_entry.to_available, new_entry.from_available);
  outcome.reserved := coalesce(new_entry.to_reserved, new_entry.from_reserved);
  return outcome;
end $$;
alter function books.carry_out owner to holdfast_books;
revoke execute on function books.carry_out from public;

-- functions/books/balances/check_credit.sql
-- A credit stays below the ceiling of its account, and within the limit of its marketplace.
create or replace function books.check_credit(p_request books.posting_request, p_holder account,
  p_adjustment_limit bigint)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
  allowed bigint;
begin
  if p_holder.available + p_holder.reserved + p_request.amount > books.balance_ceiling() then
    refusal.code := 'BALANCE_CEILING';
    return refusal;
  end if;
  select limit_minor into allowed from adjustment_limit
  where marketplace_id = p_holder.marketplace_id and currency = p_holder.currency;
  -- A row without a limit lifts the default.
  if not found then allowed := p_adjustment_limit; end if;
  if allowed is null then return refusal; end if;

  -- One credit at a time where a limit stands, so that two can't both take the last of it.
  perform pg_advisory_xact_lock(p_request.house_account_id);
  select -coalesce(sum(delta), 0) into refusal.current_amount from house_delta
  where marketplace_id = p_holder.marketplace_id and account_id = p_request.house_account_id;
  if refusal.current_amount + p_request.amount > allowed then
    refusal.code := 'ADJUSTMENT_LIMIT';
    refusal.reason := allowed::text;
  end if;
  return refusal;
end $$;
alter function books.check_credit owner to holdfast_books;
revoke execute on function books.check_credit from public;

-- functions/books/balances/check_holds.sql
-- What frees or spends held money takes no more than the manual holds with its tag.
create or replace function books.check_holds(p_request books.posting_request, p_holder account)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
begin
  refusal.current_amount := books.manually_held(p_holder, p_request.subject_id);
  if refusal.current_amount >= p_request.amount and refusal.current_amount > 0 then
    return refusal;
  end if;

  refusal.code := case p_request.kind when 'unreserve' then 'RESERVATION_EXCEEDED'
    when 'spend' then 'INVALID_RESERVED_DEDUCTION' else 'RESERVATION_NOT_FOUND' end;
  -- Who holds the money that the caller may not touch.
  select owner || coalesce(' ' || subject_id, '') into refusal.reason from reservation
  where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
    and not (owner = 'manual' and subject_id is not distinct from p_request.subject_id)
  order by subject_id is not distinct from p_request.subject_id desc, owner = 'manual', id limit 1;
  return refusal;
end $$;
alter function books.check_holds owner to holdfast_books;
revoke execute on function books.check_holds from public;

-- functions/books/balances/check_posting.sql
-- Why a balance request can't be done, or nothing. The account's row is locked by the caller.
create or replace function books.check_posting(p_request books.posting_request, p_holder account,
  p_adjustment_limit bigint)
returns books.posting_refusal
language plpgsql as $$
declare
  refusal books.posting_refusal;
begin
  if p_request.kind = 'credit' then
    return books.check_credit(p_request, p_holder, p_adjustment_limit);
  elsif p_request.kind in ('debit', 'reserve') then
    if p_holder.available - p_holder.unconfirmed < p_request.amount then
      refusal.code := 'INSUFFICIENT_FUNDS';
      refusal.current_amount := p_holder.available;
      refusal.reason := books.unconfirmed_reason(p_holder, p_request.amount)::text;
    end if;
    return refusal;
  end if;
  return books.check_holds(p_request, p_holder);
end $$;
alter function books.check_posting owner to holdfast_books;
revoke execute on function books.check_posting from public;

-- functions/books/balances/consume_manual_holds.sql
-- Takes an amount out of the manual holds with this tag, oldest first. False when they hold less.
create or replace function books.consume_manual_holds(p_holder account, p_subject text,
  p_amount bigint)
returns boolean
language plpgsql as $$
declare
  hold record;
  open_amount bigint := p_amount;
  taken_amount bigint;
begin
  for hold in
    select id, remaining from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject
    order by id for update
  loop
    taken_amount := least(hold.remaining, open_amount);
    update reservation set remaining = remaining - taken_amount
    where marketplace_id = p_holder.marketplace_id and id = hold.id;
    open_amount := open_amount - taken_amount;
    exit when open_amount = 0;
  end loop;
  return open_amount = 0;
end $$;
alter function books.consume_manual_holds owner to holdfast_books;
revoke execute on function books.consume_manual_holds from public;

-- functions/books/balances/find_by_key.sql
-- The outcome that a request's Idempotency-Key stands for; without result if it is new.
create or replace function books.find_by_key(p_request books.posting_request)
returns books.outcome
language plpgsql as $$
declare
  stored_key idempotency;
  outcome books.outcome;
begin
  if p_request.scope_hash is null then return outcome; end if;
  select * into stored_key from idempotency
  where marketplace_id = p_request.marketplace_id and scope_hash = p_request.scope_hash;
  if found then
    outcome.result := 'replayed';
    outcome.entry_id := stored_key.entry_id;
    outcome.request_hash := stored_key.request_hash;
    outcome.refusal := stored_key.refusal;
    outcome.refusal_available := stored_key.refusal_available;
    outcome.refusal_reason := stored_key.refusal_reason;
  end if;
  return outcome;
end $$;
alter function books.find_by_key owner to holdfast_books;
revoke execute on function books.find_by_key from public;

-- functions/books/balances/find_by_reference.sql
-- The outcome that a request's reference stands for; without result if it is new for this user.
create or replace function books.find_by_reference(p_request books.posting_request, p_user text)
returns books.outcome
language plpgsql as $$
declare
  stored_reference entry_reference;
  outcome books.outcome;
begin
  if p_request.reference is null then return outcome; end if;
  select * into stored_reference from entry_reference
  where marketplace_id = p_request.marketplace_id and user_id = p_user
    and reference = p_request.reference;
  if found then
    outcome.result := 'repeated';
    outcome.entry_id := stored_reference.entry_id;
    outcome.request_hash := stored_reference.request_hash;
    -- Same content: the key stands for the first entry. Other content: the key is bound to no.
    if stored_reference.request_hash <> p_request.request_hash
    then outcome.refusal := 'REFERENCE_REUSED'; end if;
  end if;
  return outcome;
end $$;
alter function books.find_by_reference owner to holdfast_books;
revoke execute on function books.find_by_reference from public;

-- functions/books/balances/find_posted.sql
-- The results of requests whose connection was lost before the reply: the caller chose their audit
-- ids, so a committed one is found here. Refused requests left nothing and may be sent again.
create or replace function books.find_posted(p_marketplace bigint[], p_audit text[])
returns setof books.outcome
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.item::int, 'done', e.id, coalesce(e.to_available, e.from_available),
    coalesce(e.to_reserved, e.from_reserved), null::text, null::bigint, null::text, null::uuid
  from unnest(p_marketplace, p_audit) with ordinality as t (marketplace, audit_id, item)
  join audit a on a.marketplace_id = t.marketplace and a.id = t.audit_id
  join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
$$;
alter function books.find_posted owner to holdfast_books;
revoke execute on function books.find_posted from public;
grant execute on function books.find_posted to holdfast_api;

-- functions/books/balances/frozen_marketplaces.sql
-- The marketplaces of this batch whose money is stopped; null if there is none.
create or replace function books.frozen_marketplaces(p_requests books.posting_request[])
returns bigint[]
language sql stable as $$
  select array_agg(distinct marketplace_id) from marketplace_stop
  where lifted_at is null and level in ('MONEY', 'SIGNING')
    and marketplace_id = any (array(select marketplace_id from unnest(p_requests)))
$$;
alter function books.frozen_marketplaces owner to holdfast_books;
revoke execute on function books.frozen_marketplaces from public;

-- functions/books/balances/has_adjustment_limit.sql
-- Whether a limit may stand against a credit of this batch.
create or replace function books.has_adjustment_limit(p_adjustment_limit bigint,
  p_requests books.posting_request[])
returns boolean
language plpgsql as $$
begin
  if not exists (select from unnest(p_requests) where kind = 'credit') then return false; end if;
  return p_adjustment_limit is not null or exists (
    select from adjustment_limit
    where limit_minor is not null
      and marketplace_id = any (array(select marketplace_id from unnest(p_requests))));
end $$;
alter function books.has_adjustment_limit owner to holdfast_books;
revoke execute on function books.has_adjustment_limit from public;

-- functions/books/balances/has_known_key.sql
-- Whether an Idempotency-Key or a reference of this batch was seen before, or a reference comes
-- twice in it. A key never comes twice: the queue refuses the second while the first is on its way.
create or replace function books.has_known_key(p_requests books.posting_request[])
returns boolean
language plpgsql stable as $$
begin
  if exists (
    select from unnest(p_requests) request
    join idempotency seen on seen.marketplace_id = request.marketplace_id
      and seen.scope_hash = request.scope_hash) then
    return true;
  end if;
  if not exists (select from unnest(p_requests) where reference is not null) then
    return false;
  end if;
  return exists (
    select from unnest(p_requests) request
    join entry_reference seen on seen.marketplace_id = request.marketplace_id
      and seen.user_id = request.owner_id and seen.reference = request.reference)
  or exists (
    select from unnest(p_requests) where reference is not null
    group by marketplace_id, owner_id, reference having count(*) > 1);
end $$;
alter function books.has_known_key owner to holdfast_books;
revoke execute on function books.has_known_key from public;

-- functions/books/balances/house_accounts_match.sql
-- Whether every credit and debit of a batch names the adjustments account of its marketplace and
-- currency, and nothing else names any.
create or replace function books.house_accounts_match(p_requests books.posting_request[])
returns boolean
language plpgsql stable as $$
begin
  return (
    select bool_and((case wanted.kind
      when 'reserve' then wanted.house_account_id is null
      else house.kind = 'adjustments' and house.marketplace_id = wanted.marketplace_id
        and house.currency = wanted.currency end) is true)
    from (
      select distinct kind, house_account_id, marketplace_id, currency
      from unnest(p_requests)) wanted
    left join account house on house.id = wanted.house_account_id);
end $$;
alter function books.house_accounts_match owner to holdfast_books;
revoke execute on function books.house_accounts_match from public;

-- functions/books/balances/insert_entries.sql
-- The journal of a batch of credits, debits and holds, and one part for each of its house accounts.
create or replace function books.insert_entries(p_now timestamptz,
  p_requests books.posting_request[], p_posted books.posted_entry[])
returns void
language plpgsql as $$
begin
  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  select marketplace_id, entry_id, kind, currency, amount,
    case kind when 'credit' then house_account_id else account_id end, 'available',
    case kind when 'debit' then house_account_id else account_id end,
    case kind when 'reserve' then 'reserved' else 'available' end,
    case when kind <> 'credit' then seq end,
    case when kind <> 'credit' then available end,
    case when kind <> 'credit' then reserved end,
    case when kind = 'credit' then seq end,
    case when kind = 'credit' then available end,
    case when kind = 'credit' then reserved end,
    subject_id, actor_id, correlation_id, reference, note, p_now
  from unnest(p_requests, p_posted);

  insert into house_delta (marketplace_id, account_id, delta)
  select marketplace_id, house_account_id, sum(case kind when 'credit' then -amount else amount end)
  from unnest(p_requests)
  where house_account_id is not null group by marketplace_id, house_account_id;
end $$;
alter function books.insert_entries owner to holdfast_books;
revoke execute on function books.insert_entries from public;

-- functions/books/balances/lock_holder.sql
-- The account of a request, locked. It must be a user's of the request's marketplace, and the house
-- account must be the one that its kind needs.
create or replace function books.lock_holder(p_request books.posting_request)
returns account
language plpgsql as $$
declare
  holder account;
  house account;
begin
  select * into holder from account where id = p_request.account_id for no key update;
  if holder.marketplace_id is distinct from p_request.marketplace_id or holder.kind <> 'user' then
    raise exception 'account % is not of marketplace %', p_request.account_id,
      p_request.marketplace_id;
  end if;
  if p_request.house_account_id is not null then
    select * into house from account where id = p_request.house_account_id;
  end if;
  if (p_request.house_account_id is not null) <> (p_request.kind in ('credit', 'debit', 'spend'))
    or (p_request.house_account_id is not null
      and (house.marketplace_id, house.kind, house.currency)
        is distinct from (p_request.marketplace_id, 'adjustments', holder.currency)) then
    raise exception 'account % is not the other side of a % here', p_request.house_account_id,
      p_request.kind;
  end if;
  return holder;
end $$;
alter function books.lock_holder owner to holdfast_books;
revoke execute on function books.lock_holder from public;

-- functions/books/balances/manually_held.sql
-- How much the manual holds of an account with this tag hold.
create or replace function books.manually_held(p_holder account, p_subject text) returns bigint
language plpgsql as $$
begin
  return (
    select coalesce(sum(remaining), 0) from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject);
end $$;
alter function books.manually_held owner to holdfast_books;
revoke execute on function books.manually_held from public;

-- functions/books/balances/plan_together.sql
-- The changes of a batch whose requests can all be done, in their order. Null if one of them may be
-- refused or a repetition, or has to choose among holds.
--
-- Reads without locks, so that a batch that can't be posted together is not undone half-way. What
-- changes until post_together has its locks is detected there.
create or replace function books.plan_together(p_adjustment_limit bigint,
  p_requests books.posting_request[])
returns books.running_change[]
language plpgsql stable as $$
declare
  changes books.running_change[];
begin
  if exists (select from unnest(p_requests) where kind not in ('credit', 'debit', 'reserve')) then
    return null;
  end if;
  changes := books.running_changes(p_requests);
  if books.accounts_allow(p_requests, changes)
    and books.house_accounts_match(p_requests)
    and not books.has_adjustment_limit(p_adjustment_limit, p_requests)
    and not books.has_known_key(p_requests) then
    return changes;
  end if;
  return null;
end $$;
alter function books.plan_together owner to holdfast_books;
revoke execute on function books.plan_together from public;

-- functions/books/balances/post_batch.sql
-- Many balance requests in one commit, each with its own outcome: together if all of them can be
-- done, in a few statements for the whole batch, otherwise one by one.
--
-- The settings hold for everything that is called from here. They make the planner look up each row
-- of a batch by its index, in the order of the batch: another plan would lock accounts in another
-- order, or read whole tables as long as their statistics are those of empty ones.
create or replace function books.post_batch(p_now timestamptz, p_adjustment_limit bigint,
  p_one_by_one boolean, p_requests books.posting_request[])
returns setof books.outcome
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  changes books.running_change[];
  frozen bigint[];
begin
  -- Once for the batch, before anything is written: a stop that commits later waits for this one.
  if exists (select from marketplace_stop
    where lifted_at is null and level in ('MONEY', 'SIGNING')) then
    frozen := books.frozen_marketplaces(p_requests);
  end if;
  if not p_one_by_one and frozen is null then
    changes := books.plan_together(p_adjustment_limit, p_requests);
  end if;
  if changes is not null then
    return query select * from books.post_together(p_now, p_requests, changes);
  else
    return query select * from books.post_one_by_one(p_now, p_adjustment_limit, frozen, p_requests);
  end if;
end $$;
alter function books.post_batch owner to holdfast_books;
revoke execute on function books.post_batch from public;
grant execute on function books.post_batch to holdfast_api;

-- functions/books/balances/post_one.sql
-- One balance request, decided exactly: lock, look its keys up, check, move.
create or replace function books.post_one(p_now timestamptz, p_adjustment_limit bigint,
  p_frozen bigint[], p_item int, p_request books.posting_request)
returns books.outcome
language plpgsql as $$
declare
  holder account := books.lock_holder(p_request);
  request books.posting_request := p_request;
  outcome books.outcome;
  refusal books.posting_refusal;
begin
  -- Its audit rows have both by default.
  perform set_config('app.address', coalesce(request.address, ''), true),
    set_config('app.user_agent', coalesce(request.user_agent, ''), true);
  -- Looked up under the account's lock: a twin of this request has committed or will wait for us.
  outcome := books.find_by_key(request);
  if outcome.result is null then
    outcome := books.find_by_reference(request, holder.owner_id);
    -- A repetition returns what was done before. The refusal is not stored: the stop will be lifted.
    if outcome.result is null and request.marketplace_id = any (p_frozen) then
      outcome := books.refuse_frozen(request.marketplace_id);
      outcome.item := p_item;
      return outcome;
    end if;
    if outcome.result is null then
      if request.kind = 'cancel' then
        request.amount := books.manually_held(holder, request.subject_id);
      end if;
      refusal := books.check_posting(request, holder, p_adjustment_limit);
      if refusal.code is null then
        outcome := books.carry_out(p_now, request, holder);
      else
        outcome.result := 'refused';
        outcome.refusal := refusal.code;
        outcome.refusal_available := refusal.current_amount;
        outcome.refusal_reason := refusal.reason;
      end if;
    end if;
    perform books.store_idempotency(p_now, request, outcome);
  end if;
  outcome.item := p_item;
  return outcome;
end $$;
alter function books.post_one owner to holdfast_books;
revoke execute on function books.post_one from public;

-- functions/books/balances/post_one_by_one.sql
-- Each request of a batch, decided in its order with all before it done.
create or replace function books.post_one_by_one(p_now timestamptz, p_adjustment_limit bigint,
  p_frozen bigint[], p_requests books.posting_request[])
returns setof books.outcome
language plpgsql as $$
begin
  perform 1 from account where id = any (array(select account_id from unnest(p_requests)))
  order by id for no key update;
  -- Where limits stand, credits take turns: in one order, so that two batches never cross.
  if books.has_adjustment_limit(p_adjustment_limit, p_requests) then
    perform pg_advisory_xact_lock(house_account_id) from (
      select distinct house_account_id from unnest(p_requests)
      where house_account_id is not null order by house_account_id) house;
  end if;
  for item in 1..cardinality(p_requests) loop
    return next books.post_one(p_now, p_adjustment_limit, p_frozen, item, p_requests[item]);
  end loop;
end $$;
alter function books.post_one_by_one owner to holdfast_books;
revoke execute on function books.post_one_by_one from public;

-- functions/books/balances/post_together.sql
-- Posts a batch that plan_together has accepted, with a few statements for all of it. If another
-- transaction has changed one of its accounts or keys since then, the whole batch starts over, one
-- by one.
create or replace function books.post_together(p_now timestamptz,
  p_requests books.posting_request[], p_changes books.running_change[])
returns setof books.outcome
language plpgsql as $$
declare
  posted books.posted_entry[];
begin
  -- Accounts before keys, here as in post_one, so that the two never wait for each other.
  posted := books.update_accounts(p_now, p_requests, p_changes);
  perform books.store_keys(p_now, p_requests, posted);
  perform books.insert_entries(p_now, p_requests, posted);
  perform books.record_postings(p_now, p_requests, posted);
  return query
    select ordinality::int, 'done', entry_id, available, reserved, null::text, null::bigint,
      null::text, null::uuid
    from unnest(posted) with ordinality;
end $$;
alter function books.post_together owner to holdfast_books;
revoke execute on function books.post_together from public;

-- functions/books/balances/purge_idempotency.sql
-- Purges idempotency keys older than a time, a limited number per call.
create or replace function books.purge_idempotency(older_than timestamptz, at_most int)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deleted_count bigint;
begin
  delete from idempotency where ctid = any (array(
    select ctid from idempotency where created_at < older_than limit at_most));
  get diagnostics deleted_count = row_count;
  return deleted_count;
end $$;
alter function books.purge_idempotency owner to holdfast_books;
revoke execute on function books.purge_idempotency from public;
grant execute on function books.purge_idempotency to holdfast_worker;

-- functions/books/balances/record_posting.sql
-- What one posting leaves behind besides its entry: its reference, its hold, its event and its audit
-- row. The same as record_postings, which costs a single request more.
create or replace function books.record_posting(p_request books.posting_request, p_holder account,
  p_entry entry)
returns void
language plpgsql as $$
begin
  if p_request.reference is not null then
    insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
    values (p_entry.marketplace_id, p_holder.owner_id, p_request.reference, p_request.request_hash,
      p_entry.id)
    on conflict do nothing;
    -- By a twin for another account of this user: only accounts are locked.
    if not found then
      raise exception 'a reference was claimed meanwhile' using errcode = 'HF001';
    end if;
  end if;
  if p_request.kind = 'reserve' then
    insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
      entry_id, created_at)
    values (p_entry.marketplace_id, p_request.reservation_id, p_holder.id, 'manual',
      p_request.subject_id, p_entry.amount, p_entry.amount, p_entry.id, p_entry.created_at);
  end if;
  perform books.emit_posting(p_entry, books.event_type_of(p_request.kind), p_holder.owner_id,
    p_request.audit_id, books.audit_action_of(p_request.kind), p_entry.note);
end $$;
alter function books.record_posting owner to holdfast_books;
revoke execute on function books.record_posting from public;

-- functions/books/balances/record_postings.sql
-- What every posting leaves behind besides its entry: its reference, its hold, its event and its
-- audit row.
create or replace function books.record_postings(p_now timestamptz,
  p_requests books.posting_request[], p_posted books.posted_entry[])
returns void
language plpgsql as $$
begin
  perform books.store_references(p_requests, p_posted);

  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  select marketplace_id, reservation_id, account_id, 'manual', subject_id, amount, amount, entry_id,
    p_now
  from unnest(p_requests, p_posted) where kind = 'reserve';

  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  select marketplace_id, books.event_type_of(kind), owner_id, entry_id, audit_id, actor_id, correlation_id
  from unnest(p_requests, p_posted);

  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id, address, user_agent)
  select marketplace_id, audit_id, p_now, books.audit_action_of(kind), 'Balance', owner_id,
    books.actor_type_of(actor_id), actor_id, 'SUCCESS', note, correlation_id, entry_id, address,
    user_agent
  from unnest(p_requests, p_posted);
end $$;
alter function books.record_postings owner to holdfast_books;
revoke execute on function books.record_postings from public;

-- functions/books/balances/refuse_frozen.sql
-- The refusal of a balance request of a marketplace whose money is stopped, with the reason of the
-- oldest stop that does so. A stop that was lifted meanwhile leaves none.
create or replace function books.refuse_frozen(p_marketplace_id bigint)
returns books.outcome
language plpgsql as $$
declare
  outcome books.outcome;
begin
  outcome.result := 'refused';
  outcome.refusal := 'MARKETPLACE_FROZEN';
  select reason into outcome.refusal_reason from marketplace_stop
  where marketplace_id = p_marketplace_id and lifted_at is null and level in ('MONEY', 'SIGNING')
  order by id limit 1;
  return outcome;
end $$;
alter function books.refuse_frozen owner to holdfast_books;
revoke execute on function books.refuse_frozen from public;

-- functions/books/balances/running_changes.sql
-- What credits, debits and holds change, request by request. Each figure counts from before the
-- batch, so that the lowest and the highest point of every account are known before it is touched.
create or replace function books.running_changes(p_requests books.posting_request[])
returns books.running_change[]
language plpgsql immutable as $$
begin
  return array(
    select row(account_rank, request_number, available_delta, reserved_delta)::books.running_change
    from (
      select ordinality,
        dense_rank() over (order by account_id)::int as account_rank,
        (row_number() over of_account)::int as request_number,
        (sum(case kind when 'credit' then amount else -amount end) over of_account)::bigint
          as available_delta,
        (sum(case kind when 'reserve' then amount else 0 end) over of_account)::bigint
          as reserved_delta
      from unnest(p_requests) with ordinality
      window of_account as (partition by account_id order by ordinality)) change
    order by ordinality);
end $$;
alter function books.running_changes owner to holdfast_books;
revoke execute on function books.running_changes from public;

-- functions/books/balances/store_idempotency.sql
-- Binds an Idempotency-Key to what came of it. A twin that was faster makes this call start over.
create or replace function books.store_idempotency(p_now timestamptz,
  p_request books.posting_request, p_outcome books.outcome)
returns void
language plpgsql as $$
begin
  if p_request.scope_hash is null then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id, refusal,
    refusal_available, refusal_reason)
  values (p_request.marketplace_id, p_request.scope_hash, p_request.request_hash, p_now,
    case when p_outcome.refusal is null then p_outcome.entry_id end,
    p_outcome.refusal, p_outcome.refusal_available, p_outcome.refusal_reason)
  on conflict do nothing;
  if not found then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_idempotency owner to holdfast_books;
revoke execute on function books.store_idempotency from public;

-- functions/books/balances/store_keys.sql
-- Binds the Idempotency-Keys of a batch to the entries that came of them.
create or replace function books.store_keys(p_now timestamptz, p_requests books.posting_request[],
  p_posted books.posted_entry[])
returns void
language plpgsql as $$
declare
  key_count constant bigint := (select count(scope_hash) from unnest(p_requests));
  stored_count bigint;
begin
  if key_count = 0 then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id)
  select marketplace_id, scope_hash, request_hash, p_now, entry_id
  from unnest(p_requests, p_posted)
  where scope_hash is not null order by marketplace_id, scope_hash
  on conflict do nothing;
  get diagnostics stored_count = row_count;
  if stored_count <> key_count then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_keys owner to holdfast_books;
revoke execute on function books.store_keys from public;

-- functions/books/balances/store_references.sql
-- Binds the references of postings to their entries.
create or replace function books.store_references(p_requests books.posting_request[],
  p_posted books.posted_entry[])
returns void
language plpgsql as $$
declare
  reference_count constant bigint := (select count(reference) from unnest(p_requests));
  stored_count bigint;
begin
  if reference_count = 0 then return; end if;
  insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
  select marketplace_id, owner_id, reference, request_hash, entry_id
  from unnest(p_requests, p_posted)
  where reference is not null order by marketplace_id, owner_id, reference
  on conflict do nothing;
  get diagnostics stored_count = row_count;
  if stored_count <> reference_count then
    raise exception 'a reference was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;
alter function books.store_references owner to holdfast_books;
revoke execute on function books.store_references from public;

-- functions/books/balances/unconfirmed_reason.sql
-- The unconfirmed amount of an account, where it alone is the reason that an amount can't be taken;
-- otherwise null.
create or replace function books.unconfirmed_reason(p_holder account, p_amount bigint)
returns bigint
language sql immutable as $$
  select case when p_holder.available >= p_amount then p_holder.unconfirmed end
$$;
alter function books.unconfirmed_reason owner to holdfast_books;
revoke execute on function books.unconfirmed_reason from public;

-- functions/books/balances/update_accounts.sql
-- Moves every account of a batch to where its requests take it, in id order, which is the order in
-- which everybody locks. Returns, request by request, the entry's id and the account after it.
create or replace function books.update_accounts(p_now timestamptz,
  p_requests books.posting_request[], p_changes books.running_change[])
returns books.posted_entry[]
language plpgsql as $$
declare
  first_id constant bigint := books.entry_id_floor(p_now);
  account_count bigint;
  -- Before the batch, by rank.
  available_before bigint[];
  reserved_before bigint[];
  version_before bigint[];
begin
  with total as materialized (
    select account_id, count(*) as entries,
      min(available_delta) as lowest_delta,
      max(available_delta + reserved_delta) as highest_delta,
      (array_agg(available_delta order by request_number desc))[1] as available_delta,
      (array_agg(reserved_delta order by request_number desc))[1] as reserved_delta
    from unnest(p_requests, p_changes) group by account_id order by account_id),
  updated as (
    update account holder set available = holder.available + total.available_delta,
      reserved = holder.reserved + total.reserved_delta,
      version = holder.version + total.entries, updated_at = p_now
    from total
    -- Again, now that the row is locked.
    where holder.id = total.account_id
      and holder.available - holder.unconfirmed + total.lowest_delta >= 0
      and holder.available + holder.reserved + total.highest_delta <= books.balance_ceiling()
    returning holder.id, holder.available - total.available_delta as available,
      holder.reserved - total.reserved_delta as reserved,
      holder.version - total.entries as version)
  select (select count(*) from total), array_agg(available order by id),
    array_agg(reserved order by id), array_agg(version order by id)
  into account_count, available_before, reserved_before, version_before
  from updated;
  if cardinality(version_before) is distinct from account_count then
    raise exception 'a balance left its bounds meanwhile' using errcode = 'HF001';
  end if;
  return array(
    select row(books.next_entry_id(first_id), version_before[account_rank] + request_number,
      available_before[account_rank] + available_delta,
      reserved_before[account_rank] + reserved_delta)::books.posted_entry
    from unnest(p_changes));
end $$;
alter function books.update_accounts owner to holdfast_books;
revoke execute on function books.update_accounts from public;

-- functions/books/change_account.sql
-- Changes an account's buckets and returns it. A house account has no row that every transfer must
-- wait for: it gets one more part.
create or replace function books.change_account(p_now timestamptz, p_account account,
  p_available bigint, p_reserved bigint)
returns account
language plpgsql as $$
declare
  changed account := p_account;
begin
  if p_account.owner_id = '' then
    insert into house_delta (marketplace_id, account_id, delta)
    values (p_account.marketplace_id, p_account.id, p_available + p_reserved);
  else
    update account set available = available + p_available, reserved = reserved + p_reserved,
      version = version + 1, updated_at = p_now
    where id = p_account.id returning * into changed;
  end if;
  return changed;
end $$;
alter function books.change_account owner to holdfast_books;
revoke execute on function books.change_account from public;

-- functions/books/compact_house_deltas.sql
-- Replaces the deltas of each house account by their sum. Deletes and inserts in one transaction,
-- so a reader sees the deltas or their sum, never both.
create or replace function books.compact_house_deltas(p_marketplace bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  folded bigint;
begin
  with taken as (
    delete from house_delta where ctid = any (array(
      select ctid from house_delta where marketplace_id = p_marketplace limit 20000))
    returning account_id, delta),
  kept as (
    insert into house_delta (marketplace_id, account_id, delta)
    select p_marketplace, account_id, sum(delta) from taken group by account_id)
  select count(*) into folded from taken;
  return folded;
end $$;
alter function books.compact_house_deltas owner to holdfast_books;
revoke execute on function books.compact_house_deltas from public;
grant execute on function books.compact_house_deltas to holdfast_worker;

-- functions/books/emit_balance_event.sql
-- Emits the event of an entry, which points at the entry for its figures.
create or replace function books.emit_balance_event(p_event text, p_user text, p_entry entry) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, p_entry.id, p_entry.actor_id, p_entry.correlation_id)
$$;
alter function books.emit_balance_event owner to holdfast_books;
revoke execute on function books.emit_balance_event from public;

-- functions/books/emit_posting.sql
-- Emits the event of an entry of one user and writes its audit row, both pointing at the entry.
create or replace function books.emit_posting(p_entry entry, p_event text, p_user text,
  p_audit text, p_action text, p_reason text default null)
returns void
language plpgsql as $$
begin
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, p_entry.id, p_audit, p_entry.actor_id,
    p_entry.correlation_id);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id)
  values (p_entry.marketplace_id, p_audit, p_entry.created_at, p_action, 'Balance', p_user,
    books.actor_type_of(p_entry.actor_id), p_entry.actor_id, 'SUCCESS', p_reason,
    p_entry.correlation_id, p_entry.id);
end $$;
alter function books.emit_posting owner to holdfast_books;
revoke execute on function books.emit_posting from public;

-- functions/books/event_type_of.sql
-- The event that reports a balance request of this kind.
create or replace function books.event_type_of(kind text) returns text language sql immutable as $$
  select case kind when 'credit' then 'balance.credited' when 'debit' then 'balance.debited'
    when 'reserve' then 'balance.reserved' when 'unreserve' then 'balance.released'
    when 'cancel' then 'balance.released' when 'spend' then 'balance.debited' end
$$;
alter function books.event_type_of owner to holdfast_books;
revoke execute on function books.event_type_of from public;

-- functions/books/house_account.sql
-- The number of a house account, opened at its first use. House accounts are never locked.
create or replace function books.house_account(p_now timestamptz, p_kind text, p_currency text)
returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select books.open_account(current_setting('app.marketplace_id')::bigint, p_kind, '', p_currency, p_now)
$$;
alter function books.house_account owner to holdfast_books;
revoke execute on function books.house_account from public;

-- functions/books/lock_user_account.sql
-- The user's account, opened at its first use and locked until the transaction ends.
create or replace function books.lock_user_account(p_now timestamptz, p_user text, p_currency text)
returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  marketplace bigint := current_setting('app.marketplace_id')::bigint;
  user_account_id bigint := books.open_account(marketplace, 'user', p_user, p_currency, p_now);
  user_account account;
begin
  select * into user_account from account where id = user_account_id for no key update;
  if not found then raise exception 'user % is not of this marketplace', p_user; end if;
  return user_account;
end $$;
alter function books.lock_user_account owner to holdfast_books;
revoke execute on function books.lock_user_account from public;

-- functions/books/marketplaces_to_compact.sql
-- Marketplaces that have enough deltas of house accounts to be worth compacting.
create or replace function books.marketplaces_to_compact(at_least int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select marketplace_id from house_delta group by marketplace_id having count(*) >= at_least
$$;
alter function books.marketplaces_to_compact owner to holdfast_books;
revoke execute on function books.marketplaces_to_compact from public;
grant execute on function books.marketplaces_to_compact to holdfast_worker;

-- functions/books/next_entry_id.sql
-- The next id of the journal, from the smallest one of its millisecond: the lower 22 bits number the
-- entries of one millisecond.
create or replace function books.next_entry_id(p_floor bigint) returns bigint
language sql volatile as $$
  select p_floor + (nextval('entry_number') & 4194303)
$$;
alter function books.next_entry_id owner to holdfast_books;
revoke execute on function books.next_entry_id from public;

-- functions/books/open_account.sql
-- The account of an owner, opened at its first use. Null when the user does not exist.
create or replace function books.open_account(p_marketplace bigint, p_kind text, p_owner text,
  p_currency text, p_now timestamptz) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_id bigint;
begin
  select id into found_id from account
  where marketplace_id = p_marketplace and kind = p_kind and owner_id = p_owner and currency = p_currency;
  if found then return found_id; end if;
  if p_kind = 'user'
    and not exists (select from users where marketplace_id = p_marketplace and id = p_owner) then
    return null;
  end if;
  insert into account (marketplace_id, kind, owner_id, currency, updated_at)
  values (p_marketplace, p_kind, p_owner, p_currency, p_now)
  on conflict on constraint account_owner_key do nothing
  returning id into found_id;
  if found_id is null then
    select id into found_id from account
    where marketplace_id = p_marketplace and kind = p_kind and owner_id = p_owner and currency = p_currency;
  end if;
  return found_id;
end $$;
alter function books.open_account owner to holdfast_books;
revoke execute on function books.open_account from public;
grant execute on function books.open_account to holdfast_api;

-- functions/books/orders/consume_order_hold.sql
-- Takes everything that the order's own hold has. Null when it has none. By its own index and in
-- one statement: reading the other keys would make neighbouring orders collide.
create or replace function books.consume_order_hold(p_order orders) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  held_amount bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_order.marketplace_id and subject_id = p_order.id collate "default"
    and owner = 'order' and remaining > 0
  returning amount into held_amount;
  return held_amount;
end $$;
alter function books.consume_order_hold owner to holdfast_books;
revoke execute on function books.consume_order_hold from public;

-- functions/books/orders/create_order_hold.sql
-- Records money that an entry has set aside for the order.
create or replace function books.create_order_hold(p_order orders, p_reservation text, p_entry entry)
returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (p_order.marketplace_id, p_reservation,
    p_entry.to_account, 'order', p_order.id, p_entry.amount, p_entry.amount, p_entry.id, p_entry.created_at)
$$;
alter function books.create_order_hold owner to holdfast_books;
revoke execute on function books.create_order_hold from public;

-- functions/books/orders/find_order.sql
-- The order, which must belong to the transaction's marketplace.
create or replace function books.find_order(p_order text) returns orders
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders;
begin
  select * into order_row from orders
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_order;
  if not found then raise exception 'order % is not of this marketplace', p_order; end if;
  return order_row;
end $$;
alter function books.find_order owner to holdfast_books;
revoke execute on function books.find_order from public;

-- functions/books/orders/fund_escrow.sql
-- Turns the order's hold into money in escrow, before anything is sent. Refused when the hold is
-- missing: then the entry is null.
create or replace function books.fund_escrow(p_now timestamptz, p_order text, p_actor text,
  p_correlation text)
returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  held_amount bigint := books.consume_order_hold(order_row);
  new_entry entry;
begin
  if held_amount is null then return row(null, buyer.available, 0)::books.order_posting; end if;
  if held_amount <> order_row.amount or escrow.available <> 0 then
    raise exception 'order % holds % and has % in escrow', p_order, held_amount, escrow.available;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'escrow_fund',
    buyer.id, 'reserved', escrow.id, 'available',
    held_amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.debited', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.fund_escrow owner to holdfast_books;
revoke execute on function books.fund_escrow from public;
grant execute on function books.fund_escrow to holdfast_api, holdfast_worker;

-- functions/books/orders/hold_for_order.sql
-- Sets the buyer's money aside for the order, after an open debt is repaid. Refused when less is
-- available and confirmed then.
create or replace function books.hold_for_order(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  new_entry entry;
begin
  buyer.available := buyer.available
    - books.repay_debt(p_now, buyer.id, order_row.id, p_actor, p_correlation);
  if buyer.available - buyer.unconfirmed < order_row.amount then
    return row(null, buyer.available, buyer.reserved)::books.order_posting;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold',
    buyer.id, 'available', buyer.id, 'reserved',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(order_row, p_reservation, new_entry);
  perform books.emit_balance_event('balance.reserved', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.hold_for_order owner to holdfast_books;
revoke execute on function books.hold_for_order from public;
grant execute on function books.hold_for_order to holdfast_api;

-- functions/books/orders/lock_order_account.sql
-- An account that the order's money passes through, locked. It was opened with the order.
create or replace function books.lock_order_account(p_order orders, p_kind text, p_owner text)
returns account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_account account;
begin
  select * into order_account from account
  where marketplace_id = p_order.marketplace_id and kind = p_kind and owner_id = p_owner
    and currency = p_order.currency
  for no key update;
  if not found then raise exception '% account of % was never opened', p_kind, p_owner; end if;
  return order_account;
end $$;
alter function books.lock_order_account owner to holdfast_books;
revoke execute on function books.lock_order_account from public;

-- functions/books/orders/open_order_accounts.sql
-- Opens the accounts that an order's money will pass through: both parties', the escrow's, and the
-- one for fees. With the order, and without reading first: opened later, orders that are funded or
-- settled at the same time would collide.
create or replace function books.open_order_accounts(p_now timestamptz, p_order text, p_buyer text,
  p_seller text, p_currency text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into account (marketplace_id, kind, owner_id, currency, updated_at)
  select current_setting('app.marketplace_id')::bigint, wanted.kind, wanted.owner_id, p_currency, p_now
  from (values ('user', p_buyer), ('user', p_seller), ('escrow', p_order), ('fee_income', ''))
    as wanted (kind, owner_id)
  order by wanted.kind, wanted.owner_id
  on conflict on constraint account_owner_key do nothing
$$;
alter function books.open_order_accounts owner to holdfast_books;
revoke execute on function books.open_order_accounts from public;
grant execute on function books.open_order_accounts to holdfast_api;

-- functions/books/orders/pay_from_escrow.sql
-- Pays out of escrow: the seller by a release, the buyer by a refund, and no other user. An open
-- debt of the payee is repaid from it first.
create or replace function books.pay_from_escrow(p_now timestamptz, p_order text, p_purpose text,
  p_amount bigint, p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  payee_id constant text := case p_purpose when 'order_release' then order_row.seller_id
    when 'order_refund' then order_row.buyer_id end;
  payee account := books.lock_order_account(order_row, 'user', payee_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  new_entry entry;
  repaid bigint;
begin
  new_entry := books.post_entry(p_now, order_row.marketplace_id, p_purpose,
    escrow.id, 'available', payee.id, 'available',
    p_amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', payee_id, new_entry);
  repaid := books.repay_debt(p_now, payee.id, order_row.id, p_actor, p_correlation);
  return row(new_entry.id, new_entry.to_available - repaid,
    new_entry.to_reserved)::books.order_posting;
end $$;
alter function books.pay_from_escrow owner to holdfast_books;
revoke execute on function books.pay_from_escrow from public;
grant execute on function books.pay_from_escrow to holdfast_api, holdfast_worker;

-- functions/books/orders/return_order_hold.sql
-- Returns the order's hold to the buyer: the order is cancelled.
create or replace function books.return_order_hold(p_now timestamptz, p_order text, p_note text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  held_amount bigint := books.consume_order_hold(order_row);
  new_entry entry;
begin
  if held_amount is null then raise exception 'order % holds nothing', p_order; end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold_return',
    buyer.id, 'reserved', buyer.id, 'available',
    held_amount, order_row.id, p_actor, p_correlation, null, p_note);
  perform books.emit_balance_event('balance.released', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.return_order_hold owner to holdfast_books;
revoke execute on function books.return_order_hold from public;
grant execute on function books.return_order_hold to holdfast_api, holdfast_worker;

-- functions/books/orders/take_fee_from_escrow.sql
-- Moves the platform's fee from escrow to fee income.
create or replace function books.take_fee_from_escrow(p_now timestamptz, p_order text,
  p_amount bigint, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  house bigint;
  new_entry entry;
begin
  -- Not locked: no transaction ever waits for a house account's row.
  select id into strict house from account where marketplace_id = order_row.marketplace_id
    and kind = 'fee_income' and owner_id = '' and currency = order_row.currency;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_fee',
    escrow.id, 'available', house, 'available',
    p_amount, order_row.id, p_actor, p_correlation, null, null);
  return new_entry.id;
end $$;
alter function books.take_fee_from_escrow owner to holdfast_books;
revoke execute on function books.take_fee_from_escrow from public;
grant execute on function books.take_fee_from_escrow to holdfast_api, holdfast_worker;

-- functions/books/orders/unfund_escrow.sql
-- Turns money in escrow back into the order's hold: the funding provably had no effect. Two entries
-- within the buyer's lock, credited and reserved again: each is an event that consumers know.
create or replace function books.unfund_escrow(p_now timestamptz, p_order text, p_reservation text,
  p_actor text, p_correlation text) returns books.order_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  order_row orders := books.find_order(p_order);
  buyer account := books.lock_order_account(order_row, 'user', order_row.buyer_id);
  escrow account := books.lock_order_account(order_row, 'escrow', order_row.id);
  new_entry entry;
begin
  if escrow.available <> order_row.amount then
    raise exception 'order % has % in escrow', p_order, escrow.available;
  end if;
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'escrow_unfund',
    escrow.id, 'available', buyer.id, 'available',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', order_row.buyer_id, new_entry);
  new_entry := books.post_entry(p_now, order_row.marketplace_id, 'order_hold',
    buyer.id, 'available', buyer.id, 'reserved',
    order_row.amount, order_row.id, p_actor, p_correlation, null, null);
  perform books.create_order_hold(order_row, p_reservation, new_entry);
  perform books.emit_balance_event('balance.reserved', order_row.buyer_id, new_entry);
  return row(new_entry.id, new_entry.from_available, new_entry.from_reserved)::books.order_posting;
end $$;
alter function books.unfund_escrow owner to holdfast_books;
revoke execute on function books.unfund_escrow from public;
grant execute on function books.unfund_escrow to holdfast_worker;

-- functions/books/payments/book_topup_fee.sql
-- Posts the provider's fee on a top-up as its record shows it: the difference to what was posted
-- before. Where the user bears the fee, the user is charged too, as far as there was a credit.
create or replace function books.book_topup_fee(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  whole_fee constant bigint := coalesce(topup_row.fee, 0);
  charge constant bigint :=
    case when topup_row.fee_paid_by = 'USER' and topup_row.credited > 0 then whole_fee else 0 end;
  clearing bigint := books.house_account(p_now, 'payment_clearing', topup_row.currency);
  fees bigint := books.house_account(p_now, 'payment_fees', topup_row.currency);
begin
  if whole_fee > topup_row.booked_fee then
    perform books.post_entry(p_now, topup_row.marketplace_id, 'topup_fee', fees, 'available',
      clearing, 'available', whole_fee - topup_row.booked_fee, topup_row.id, p_actor, p_correlation,
      null, null);
  elsif whole_fee < topup_row.booked_fee then
    perform books.post_entry(p_now, topup_row.marketplace_id, 'topup_fee_return', clearing,
      'available', fees, 'available', topup_row.booked_fee - whole_fee, topup_row.id, p_actor,
      p_correlation, null, null);
  end if;
  if charge > topup_row.charged_fee then
    perform books.charge_user(p_now, topup_row.user_id, topup_row.currency,
      charge - topup_row.charged_fee, fees, 'topup_fee_charge', 'topup_debt', topup_row.id,
      p_actor, p_correlation);
  elsif charge < topup_row.charged_fee then
    perform books.pay_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.charged_fee - charge, fees, 'topup_fee_refund', topup_row.id, p_actor,
      p_correlation);
  end if;
  update topup set booked_fee = whole_fee, charged_fee = charge
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
end $$;
alter function books.book_topup_fee owner to holdfast_books;
revoke execute on function books.book_topup_fee from public;
grant execute on function books.book_topup_fee to holdfast_api, holdfast_worker;

-- functions/books/payments/book_topup_reversal.sql
-- Takes back from the user what the payer's bank has taken back from the platform, as the provider's
-- record shows it; or pays it again where the reversal was undone. Posts the difference to what was
-- posted before.
create or replace function books.book_topup_reversal(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  clearing bigint := books.house_account(p_now, 'payment_clearing', topup_row.currency);
begin
  if topup_row.reversed > topup_row.booked_reversal then
    -- What was never confirmed is taken back first.
    perform books.lift_lien(p_now, topup_row.id);
    perform books.charge_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.reversed - topup_row.booked_reversal, clearing, 'topup_reversal', 'topup_debt',
      topup_row.id, p_actor, p_correlation);
  elsif topup_row.reversed < topup_row.booked_reversal then
    perform books.pay_user(p_now, topup_row.user_id, topup_row.currency,
      topup_row.booked_reversal - topup_row.reversed, clearing, 'topup_reinstated', topup_row.id,
      p_actor, p_correlation);
  end if;
  update topup set booked_reversal = topup_row.reversed
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
end $$;
alter function books.book_topup_reversal owner to holdfast_books;
revoke execute on function books.book_topup_reversal from public;
grant execute on function books.book_topup_reversal to holdfast_api, holdfast_worker;

-- functions/books/payments/charge_user.sql
-- Takes an amount from a user for a house account. What is available and confirmed goes first; the
-- rest becomes the user's debt, so the house account always gets the whole amount.
create or replace function books.charge_user(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_house_account bigint, p_kind text, p_debt_kind text, p_subject text,
  p_actor text, p_correlation text)
returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account := books.lock_user_account(p_now, p_user, p_currency);
  paid constant bigint := least(payer.available - payer.unconfirmed, p_amount);
  new_entry entry;
begin
  if paid > 0 then
    new_entry := books.post_entry(p_now, payer.marketplace_id, p_kind, payer.id, 'available',
      p_house_account, 'available', paid, p_subject, p_actor, p_correlation, null, null);
    perform books.emit_balance_event('balance.debited', p_user, new_entry);
  end if;
  if paid < p_amount then
    new_entry := books.post_entry(p_now, payer.marketplace_id, p_debt_kind,
      books.open_account(payer.marketplace_id, 'debt', p_user, p_currency, p_now), 'available',
      p_house_account, 'available', p_amount - paid, p_subject, p_actor, p_correlation, null, null);
    perform books.emit_debt_event('user.debt_opened', p_user, new_entry, -new_entry.from_available);
  end if;
end $$;
alter function books.charge_user owner to holdfast_books;
revoke execute on function books.charge_user from public;

-- functions/books/payments/confirm_money.sql
-- The provider's record confirms the money of a top-up or a withdrawal: it can be taken from now on,
-- and an open debt is repaid from it first. Returns the amount; null when it was confirmed before.
create or replace function books.confirm_money(p_now timestamptz, p_subject text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  lifted constant lien := books.lift_lien(p_now, p_subject);
begin
  if lifted.amount is null then return null; end if;
  perform books.repay_debt(p_now, lifted.account_id, p_subject, p_actor, p_correlation);
  return lifted.amount;
end $$;
alter function books.confirm_money owner to holdfast_books;
revoke execute on function books.confirm_money from public;
grant execute on function books.confirm_money to holdfast_api, holdfast_worker;

-- functions/books/payments/consume_withdrawal_hold.sql
-- Takes everything that the withdrawal's own hold has, by its own index and in one statement.
create or replace function books.consume_withdrawal_hold(p_withdrawal withdrawal) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  held_amount bigint;
begin
  update reservation set remaining = 0
  where marketplace_id = p_withdrawal.marketplace_id and subject_id = p_withdrawal.id collate "default"
    and owner = 'withdrawal' and remaining > 0
  returning amount into held_amount;
  if held_amount is distinct from p_withdrawal.amount then
    raise exception 'withdrawal % holds %', p_withdrawal.id, held_amount;
  end if;
  return held_amount;
end $$;
alter function books.consume_withdrawal_hold owner to holdfast_books;
revoke execute on function books.consume_withdrawal_hold from public;

-- functions/books/payments/credit_deposit.sql
-- Credits a recorded deposit, once. An open debt of the user is repaid from it first.
create or replace function books.credit_deposit(p_now timestamptz, p_operation text,
  p_transfer_index int, p_audit text, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  deposit_row deposit;
  holder account;
  new_entry entry;
begin
  select * into deposit_row from deposit
  where operation_id = p_operation and transfer_index = p_transfer_index
    and marketplace_id = current_setting('app.marketplace_id')::bigint for update;
  if not found or deposit_row.entry_id is not null then
    raise exception 'deposit % is not there to be credited', p_operation;
  end if;
  holder := books.lock_user_account(p_now, deposit_row.user_id, deposit_row.currency);
  new_entry := books.post_entry(p_now, deposit_row.marketplace_id, 'deposit',
    books.house_account(p_now, 'network_clearing', deposit_row.currency), 'available',
    holder.id, 'available',
    deposit_row.amount, deposit_row.line_id, p_actor, p_correlation, null, null);
  update deposit set entry_id = new_entry.id
  where operation_id = p_operation and transfer_index = p_transfer_index;
  perform books.emit_posting(new_entry, 'balance.credited', deposit_row.user_id, p_audit,
    'DEPOSIT_CREDITED');
  perform books.repay_debt(p_now, holder.id, deposit_row.line_id, p_actor, p_correlation);
  return new_entry.id;
end $$;
alter function books.credit_deposit owner to holdfast_books;
revoke execute on function books.credit_deposit from public;
grant execute on function books.credit_deposit to holdfast_api, holdfast_worker;

-- functions/books/payments/credit_topup.sql
-- Credits the user with the top-up, once; with a lien where only a notification reports the payment.
-- Returns the balance that is available then.
create or replace function books.credit_topup(p_now timestamptz, p_topup text,
  p_is_confirmed boolean, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  available bigint;
begin
  if topup_row.status <> 'TOPUP_SUCCEEDED' or topup_row.credited <> 0 then
    raise exception 'top-up % is %, with % credited', p_topup, topup_row.status, topup_row.credited;
  end if;
  available := books.pay_user(p_now, topup_row.user_id, topup_row.currency, topup_row.amount,
    books.house_account(p_now, 'payment_clearing', topup_row.currency), 'topup', topup_row.id,
    p_actor, p_correlation, p_is_confirmed);
  update topup set credited = amount
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
  return available;
end $$;
alter function books.credit_topup owner to holdfast_books;
revoke execute on function books.credit_topup from public;
grant execute on function books.credit_topup to holdfast_api, holdfast_worker;

-- functions/books/payments/emit_debt_event.sql
-- Emits that a user's debt changed by an entry, with what is owed then. It carries its own figures:
-- the event that points at an entry is that of the balance.
create or replace function books.emit_debt_event(p_event text, p_user text, p_entry entry,
  p_owed bigint)
returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, json_build_object(
      'userId', p_user, 'amount', to_char(p_entry.amount / 100.0, 'FM9999999999999990.00'),
      'currency', p_entry.currency, 'subjectId', p_entry.subject_id,
      'owed', to_char(p_owed / 100.0, 'FM9999999999999990.00')),
    p_entry.actor_id, p_entry.correlation_id)
$$;
alter function books.emit_debt_event owner to holdfast_books;
revoke execute on function books.emit_debt_event from public;

-- functions/books/payments/find_withdrawal.sql
-- The withdrawal, which must belong to the transaction's marketplace.
create or replace function books.find_withdrawal(p_withdrawal text) returns withdrawal
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal;
begin
  select * into withdrawal_row from withdrawal
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_withdrawal;
  if not found then raise exception 'withdrawal % is not of this marketplace', p_withdrawal; end if;
  return withdrawal_row;
end $$;
alter function books.find_withdrawal owner to holdfast_books;
revoke execute on function books.find_withdrawal from public;

-- functions/books/payments/hold_for_withdrawal.sql
-- Sets the user's money aside for the withdrawal, after an open debt is repaid. Refused when less
-- is available and confirmed then.
create or replace function books.hold_for_withdrawal(p_now timestamptz, p_withdrawal text,
  p_reservation text, p_actor text, p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  new_entry entry;
begin
  holder.available := holder.available
    - books.repay_debt(p_now, holder.id, withdrawal_row.id, p_actor, p_correlation);
  if holder.available - holder.unconfirmed < withdrawal_row.amount then
    return row(null, holder.available, holder.reserved)::books.withdrawal_posting;
  end if;
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_hold',
    holder.id, 'available', holder.id, 'reserved',
    withdrawal_row.amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  values (withdrawal_row.marketplace_id, p_reservation, holder.id, 'withdrawal', withdrawal_row.id,
    new_entry.amount, new_entry.amount, new_entry.id, p_now);
  perform books.emit_balance_event('balance.reserved', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.hold_for_withdrawal owner to holdfast_books;
revoke execute on function books.hold_for_withdrawal from public;
grant execute on function books.hold_for_withdrawal to holdfast_api;

-- functions/books/payments/lift_lien.sql
-- Lifts the lien of a top-up or a withdrawal, which the caller has locked. Returns it; without an
-- amount when none is open.
create or replace function books.lift_lien(p_now timestamptz, p_subject text) returns lien
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  open_lien lien;
begin
  select * into open_lien from lien
  where marketplace_id = current_setting('app.marketplace_id')::bigint and subject_id = p_subject
    and lifted_at is null;
  if not found then return null; end if;
  update account set unconfirmed = unconfirmed - open_lien.amount where id = open_lien.account_id;
  update lien set lifted_at = p_now
  where marketplace_id = open_lien.marketplace_id and subject_id = p_subject;
  return open_lien;
end $$;
alter function books.lift_lien owner to holdfast_books;
revoke execute on function books.lift_lien from public;

-- functions/books/payments/lock_topup.sql
-- The top-up, locked. It must belong to the transaction's marketplace.
create or replace function books.lock_topup(p_topup text) returns topup
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup;
begin
  select * into topup_row from topup
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_topup
  for no key update;
  if not found then raise exception 'top-up % is not of this marketplace', p_topup; end if;
  return topup_row;
end $$;
alter function books.lock_topup owner to holdfast_books;
revoke execute on function books.lock_topup from public;

-- functions/books/payments/move_topup_suspense.sql
-- Moves an amount from the payment provider's clearing account to suspense; a negative amount moves
-- back.
create or replace function books.move_topup_suspense(p_now timestamptz, p_marketplace bigint,
  p_topup text, p_currency text, p_amount bigint, p_actor text, p_correlation text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  clearing bigint := books.house_account(p_now, 'payment_clearing', p_currency);
  suspense bigint := books.house_account(p_now, 'suspense', p_currency);
begin
  if p_amount > 0 then
    perform books.post_entry(p_now, p_marketplace, 'topup_suspense', clearing, 'available',
      suspense, 'available', p_amount, p_topup, p_actor, p_correlation, null, null);
  elsif p_amount < 0 then
    perform books.post_entry(p_now, p_marketplace, 'topup_suspense_return', suspense, 'available',
      clearing, 'available', -p_amount, p_topup, p_actor, p_correlation, null, null);
  end if;
end $$;
alter function books.move_topup_suspense owner to holdfast_books;
revoke execute on function books.move_topup_suspense from public;

-- functions/books/payments/open_lien.sql
-- What this entry made available is known by notification only: it can't be taken until its lien is
-- lifted. The caller has locked the account.
create or replace function books.open_lien(p_entry entry, p_account bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into lien (marketplace_id, subject_id, account_id, amount, opened_at)
  values (p_entry.marketplace_id, p_entry.subject_id, p_account, p_entry.amount, p_entry.created_at);
  update account set unconfirmed = unconfirmed + p_entry.amount where id = p_account;
end $$;
alter function books.open_lien owner to holdfast_books;
revoke execute on function books.open_lien from public;

-- functions/books/payments/pay_user.sql
-- Pays a user from a house account. An open debt is repaid from it first, unless the payment is
-- known by notification only. Returns the balance that is available then.
create or replace function books.pay_user(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_house_account bigint, p_kind text, p_subject text, p_actor text,
  p_correlation text, p_is_confirmed boolean default true)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payee account := books.lock_user_account(p_now, p_user, p_currency);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, payee.marketplace_id, p_kind, p_house_account, 'available',
    payee.id, 'available', p_amount, p_subject, p_actor, p_correlation, null, null);
  perform books.emit_balance_event('balance.credited', p_user, new_entry);
  if not p_is_confirmed then perform books.open_lien(new_entry, payee.id); end if;
  return new_entry.to_available
    - books.repay_debt(p_now, payee.id, p_subject, p_actor, p_correlation);
end $$;
alter function books.pay_user owner to holdfast_books;
revoke execute on function books.pay_user from public;

-- functions/books/payments/pay_withdrawal.sql
-- Consumes the hold: the money has left, through the payment provider or over the network.
create or replace function books.pay_withdrawal(p_now timestamptz, p_withdrawal text, p_actor text,
  p_correlation text) returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  is_crypto constant boolean := withdrawal_row.destination_type = 'crypto';
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  held_amount bigint := books.consume_withdrawal_hold(withdrawal_row);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id,
    case when is_crypto then 'withdrawal_crypto' else 'withdrawal_payout' end,
    holder.id, 'reserved',
    books.house_account(p_now,
      case when is_crypto then 'network_clearing' else 'payment_clearing' end,
      withdrawal_row.currency), 'available',
    held_amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = held_amount
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  perform books.emit_balance_event('balance.debited', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.pay_withdrawal owner to holdfast_books;
revoke execute on function books.pay_withdrawal from public;
grant execute on function books.pay_withdrawal to holdfast_api, holdfast_worker;

-- functions/books/payments/post_balance_difference.sql
-- Posts a recorded difference between books and network against suspense, once.
create or replace function books.post_balance_difference(p_now timestamptz, p_difference text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  difference_row balance_difference;
  holder account;
  house bigint;
  new_entry entry;
begin
  select * into difference_row from balance_difference
  where id = p_difference and marketplace_id = current_setting('app.marketplace_id')::bigint
  for update;
  if not found or difference_row.entry_id is not null then
    raise exception 'difference % is not there to be posted', p_difference;
  end if;
  holder := books.lock_user_account(p_now, difference_row.user_id, difference_row.currency);
  house := books.house_account(p_now, 'suspense', difference_row.currency);
  if difference_row.amount > 0 then
    new_entry := books.post_entry(p_now, difference_row.marketplace_id, 'sync_credit',
      house, 'available', holder.id, 'available',
      difference_row.amount, null, p_actor, p_correlation, null, null);
  else
    new_entry := books.post_entry(p_now, difference_row.marketplace_id, 'sync_debit',
      holder.id, 'available', house, 'available',
      -difference_row.amount, null, p_actor, p_correlation, null, null);
  end if;
  update balance_difference set entry_id = new_entry.id
  where marketplace_id = difference_row.marketplace_id and id = difference_row.id;
  perform books.emit_posting(new_entry,
    case when difference_row.amount > 0 then 'balance.credited' else 'balance.debited' end,
    difference_row.user_id, difference_row.id, 'BALANCE_SYNCED');
  return new_entry.id;
end $$;
alter function books.post_balance_difference owner to holdfast_books;
revoke execute on function books.post_balance_difference from public;
grant execute on function books.post_balance_difference to holdfast_api;

-- functions/books/payments/post_exception.sql
-- Makes the books agree with the provider's records, once for each exception. Amount, currency and
-- account come from the exception, which an operator has just resolved with a reason.
create or replace function books.post_exception(p_now timestamptz, p_exception text, p_actor text,
  p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  exception_row reconciliation_exception;
  amount_to_post bigint;
  clearing bigint;
  other_account bigint;
  payee account;
  new_entry entry;
begin
  select * into exception_row from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception
  for update;
  if not found or exception_row.status <> 'RESOLVED' or exception_row.posted is not null
    or exception_row.clearing is null then
    raise exception 'exception % is not there to be posted', p_exception;
  end if;
  if exception_row.stroops = 0 or exception_row.stroops % 100000 <> 0 then
    raise exception 'exception % is no whole number of cents', p_exception;
  end if;
  amount_to_post := exception_row.stroops / 100000;
  clearing := books.house_account(p_now, exception_row.clearing, exception_row.currency);
  other_account := books.house_account(p_now,
    case exception_row.action when 'WRITE_OFF' then 'provider_fees' else 'suspense' end,
    exception_row.currency);
  new_entry := books.post_entry(p_now, exception_row.marketplace_id,
    case exception_row.action when 'WRITE_OFF' then 'exception_write_off'
      else 'exception_suspense' end,
    case when amount_to_post > 0 then clearing else other_account end, 'available',
    case when amount_to_post > 0 then other_account else clearing end, 'available',
    abs(amount_to_post), exception_row.id, p_actor, p_correlation, null, exception_row.reason);
  if exception_row.action = 'CREDIT_USER' then
    if amount_to_post < 0 then
      raise exception 'exception % has nothing to credit', p_exception;
    end if;
    payee := books.lock_user_account(p_now, exception_row.user_id, exception_row.currency);
    new_entry := books.post_entry(p_now, exception_row.marketplace_id, 'exception_credit',
      other_account, 'available', payee.id, 'available',
      amount_to_post, exception_row.id, p_actor, p_correlation, null, exception_row.reason);
    perform books.emit_balance_event('balance.credited', exception_row.user_id, new_entry);
  elsif exception_row.action = 'CHARGE_USER' then
    if amount_to_post > 0 then
      raise exception 'exception % has nothing to charge', p_exception;
    end if;
    perform books.charge_user(p_now, exception_row.user_id, exception_row.currency, -amount_to_post,
      other_account, 'exception_charge', 'exception_debt', exception_row.id, p_actor, p_correlation);
  elsif exception_row.action not in ('BOOK_TO_SUSPENSE', 'WRITE_OFF') then
    raise exception 'exception % is not resolved by a posting', p_exception;
  end if;
  update reconciliation_exception set posted = amount_to_post
  where marketplace_id = exception_row.marketplace_id and id = exception_row.id;
  return amount_to_post;
end $$;
alter function books.post_exception owner to holdfast_books;
revoke execute on function books.post_exception from public;
grant execute on function books.post_exception to holdfast_api;

-- functions/books/payments/repay_debt.sql
-- Repays the user's debt in this currency from what is available and confirmed, as far as both go. Returns the
-- amount. Accounts are locked in this order: the user's, which the caller has locked, then the debt.
create or replace function books.repay_debt(p_now timestamptz, p_account bigint, p_subject text,
  p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account;
  debt account;
  amount bigint;
  new_entry entry;
begin
  select * into payer from account where id = p_account;
  select * into debt from account
  where marketplace_id = payer.marketplace_id and kind = 'debt' and owner_id = payer.owner_id
    and currency = payer.currency
  for no key update;
  if not found then return 0; end if;
  amount := least(payer.available - payer.unconfirmed, -debt.available);
  if amount <= 0 then return 0; end if;
  new_entry := books.post_entry(p_now, payer.marketplace_id, 'debt_repayment', payer.id, 'available',
    debt.id, 'available', amount, p_subject, p_actor, p_correlation, null, null);
  perform books.emit_posting(new_entry, 'balance.debited', payer.owner_id, new_id('aud', p_now),
    'DEBT_REPAID');
  perform books.emit_debt_event('user.debt_repaid', payer.owner_id, new_entry,
    -new_entry.to_available);
  return amount;
end $$;
alter function books.repay_debt owner to holdfast_books;
revoke execute on function books.repay_debt from public;

-- functions/books/payments/retake_withdrawal.sql
-- A payout was made although a notification called it failed or canceled: takes the returned money
-- again, which its lien has held back. Returns the amount; null when there is no lien.
create or replace function books.retake_withdrawal(p_now timestamptz, p_withdrawal text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  lifted constant lien := books.lift_lien(p_now, withdrawal_row.id);
  new_entry entry;
begin
  if lifted.amount is null then return null; end if;
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_retake',
    lifted.account_id, 'available',
    books.house_account(p_now, 'payment_clearing', withdrawal_row.currency), 'available',
    lifted.amount, withdrawal_row.id, p_actor, p_correlation, null, null);
  update withdrawal set paid = paid + lifted.amount
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  perform books.emit_balance_event('balance.debited', withdrawal_row.user_id, new_entry);
  return lifted.amount;
end $$;
alter function books.retake_withdrawal owner to holdfast_books;
revoke execute on function books.retake_withdrawal from public;
grant execute on function books.retake_withdrawal to holdfast_api, holdfast_worker;

-- functions/books/payments/return_withdrawal.sql
-- The provider has returned a payout that was completed: the user gets what was paid out, once. What
-- suspense has paid since is not the user's. Returns the amount; null when there is none.
create or replace function books.return_withdrawal(p_now timestamptz, p_withdrawal text,
  p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  due bigint := least(withdrawal_row.paid, withdrawal_row.amount - withdrawal_row.returned);
begin
  if due <= 0 or withdrawal_row.destination_type = 'crypto' then return null; end if;
  perform books.pay_user(p_now, withdrawal_row.user_id, withdrawal_row.currency, due,
    books.house_account(p_now, 'payment_clearing', withdrawal_row.currency), 'withdrawal_return',
    withdrawal_row.id, p_actor, p_correlation);
  update withdrawal set paid = paid - due, returned = returned + due
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  return due;
end $$;
alter function books.return_withdrawal owner to holdfast_books;
revoke execute on function books.return_withdrawal from public;
grant execute on function books.return_withdrawal to holdfast_api, holdfast_worker;

-- functions/books/payments/return_withdrawal_hold.sql
-- Returns the withdrawal's hold to the user: nothing was paid out. With a lien where only a
-- notification says so.
create or replace function books.return_withdrawal_hold(p_now timestamptz, p_withdrawal text,
  p_is_confirmed boolean, p_note text, p_actor text, p_correlation text)
returns books.withdrawal_posting
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  holder account := books.lock_user_account(p_now, withdrawal_row.user_id, withdrawal_row.currency);
  held_amount bigint := books.consume_withdrawal_hold(withdrawal_row);
  new_entry entry;
begin
  new_entry := books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_hold_return',
    holder.id, 'reserved', holder.id, 'available',
    held_amount, withdrawal_row.id, p_actor, p_correlation, null, p_note);
  if not p_is_confirmed then perform books.open_lien(new_entry, holder.id); end if;
  perform books.emit_balance_event('balance.released', withdrawal_row.user_id, new_entry);
  return row(new_entry.id, new_entry.from_available,
    new_entry.from_reserved)::books.withdrawal_posting;
end $$;
alter function books.return_withdrawal_hold owner to holdfast_books;
revoke execute on function books.return_withdrawal_hold from public;
grant execute on function books.return_withdrawal_hold to holdfast_api, holdfast_worker;

-- functions/books/payments/suspend_topup.sql
-- Puts into suspense the difference between the amount that came in and the amount that was
-- credited. Returns the amount in suspense.
create or replace function books.suspend_topup(p_now timestamptz, p_topup text, p_actor text,
  p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  topup_row topup := books.lock_topup(p_topup);
  is_same constant boolean := topup_row.received_currency = topup_row.currency;
  target constant bigint :=
    topup_row.received - case when is_same then topup_row.credited else 0 end;
begin
  if topup_row.received is null or (not is_same and topup_row.credited > 0) then
    raise exception 'top-up % has nothing to suspend', p_topup;
  end if;
  if topup_row.suspended_currency <> topup_row.received_currency then
    perform books.move_topup_suspense(p_now, topup_row.marketplace_id, topup_row.id,
      topup_row.suspended_currency, -topup_row.suspended, p_actor, p_correlation);
    topup_row.suspended := 0;
  end if;
  perform books.move_topup_suspense(p_now, topup_row.marketplace_id, topup_row.id,
    topup_row.received_currency, target - topup_row.suspended, p_actor, p_correlation);
  update topup set suspended = target, suspended_currency = topup_row.received_currency
  where marketplace_id = topup_row.marketplace_id and id = topup_row.id;
  return target;
end $$;
alter function books.suspend_topup owner to holdfast_books;
revoke execute on function books.suspend_topup from public;
grant execute on function books.suspend_topup to holdfast_api, holdfast_worker;

-- functions/books/payments/suspend_withdrawal.sql
-- The provider has paid another sum than the books say: suspense takes the difference until an
-- operator has resolved it. Returns the difference; null when there is none.
create or replace function books.suspend_withdrawal(p_now timestamptz, p_withdrawal text,
  p_paid bigint, p_note text, p_actor text, p_correlation text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  withdrawal_row withdrawal := books.find_withdrawal(p_withdrawal);
  clearing bigint := books.house_account(p_now, 'payment_clearing', withdrawal_row.currency);
  suspense bigint := books.house_account(p_now, 'suspense', withdrawal_row.currency);
  difference bigint := p_paid - withdrawal_row.paid;
begin
  if difference = 0 then return null; end if;
  perform books.post_entry(p_now, withdrawal_row.marketplace_id, 'withdrawal_suspense',
    case when difference > 0 then suspense else clearing end, 'available',
    case when difference > 0 then clearing else suspense end, 'available',
    abs(difference), withdrawal_row.id, p_actor, p_correlation, null, p_note);
  update withdrawal set paid = p_paid
  where marketplace_id = withdrawal_row.marketplace_id and id = withdrawal_row.id;
  return difference;
end $$;
alter function books.suspend_withdrawal owner to holdfast_books;
revoke execute on function books.suspend_withdrawal from public;
grant execute on function books.suspend_withdrawal to holdfast_api, holdfast_worker;

-- functions/books/payments/write_off_debt.sql
-- Writes off what a user owes, in part or whole: the marketplace bears it. Returns what is owed then;
-- null when the user owes less.
create or replace function books.write_off_debt(p_now timestamptz, p_user text, p_currency text,
  p_amount bigint, p_reason text, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  payer account := books.lock_user_account(p_now, p_user, p_currency);
  debt account;
  new_entry entry;
begin
  select * into debt from account
  where marketplace_id = payer.marketplace_id and kind = 'debt' and owner_id = p_user
    and currency = p_currency
  for no key update;
  if not found or -debt.available < p_amount then return null; end if;
  new_entry := books.post_entry(p_now, payer.marketplace_id, 'debt_write_off',
    books.house_account(p_now, 'provider_fees', p_currency), 'available', debt.id, 'available',
    p_amount, p_user, p_actor, p_correlation, null, p_reason);
  perform books.emit_debt_event('user.debt_written_off', p_user, new_entry,
    -new_entry.to_available);
  return -new_entry.to_available;
end $$;
alter function books.write_off_debt owner to holdfast_books;
revoke execute on function books.write_off_debt from public;
grant execute on function books.write_off_debt to holdfast_api;

-- functions/books/payments/write_off_unconfirmed.sql
-- Leaves a user money that the provider's record has not confirmed, and lifts its lien: the
-- marketplace bears it, against suspense. The exception about it was just resolved by two people.
create or replace function books.write_off_unconfirmed(p_now timestamptz, p_exception text,
  p_actor text, p_correlation text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  exception_row reconciliation_exception;
  confirmed bigint;
begin
  select * into exception_row from reconciliation_exception
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_exception;
  if (exception_row.status, exception_row.cause, exception_row.action)
    is distinct from ('RESOLVED', 'MONEY_UNCONFIRMED', 'WRITE_OFF') then
    raise exception 'exception % is not there to be written off', p_exception;
  end if;
  confirmed := books.confirm_money(p_now, exception_row.resource_id, p_actor, p_correlation);
  if confirmed * 100000 is distinct from -exception_row.stroops then
    raise exception 'exception % is about another amount than %', p_exception, confirmed;
  end if;
  perform books.post_entry(p_now, exception_row.marketplace_id, 'exception_write_off',
    books.house_account(p_now, 'provider_fees', exception_row.currency), 'available',
    books.house_account(p_now, 'suspense', exception_row.currency), 'available',
    confirmed, exception_row.id, p_actor, p_correlation, null, exception_row.reason);
end $$;
alter function books.write_off_unconfirmed owner to holdfast_books;
revoke execute on function books.write_off_unconfirmed from public;
grant execute on function books.write_off_unconfirmed to holdfast_api;

-- functions/books/post_entry.sql
-- One entry: moves an amount between two buckets and writes the journal. Locks accounts in the
-- order of their ids. The caller has checked that the bucket holds the amount; the account's own
-- constraint is the second check.
create or replace function books.post_entry(p_now timestamptz, p_marketplace bigint, p_kind text,
  p_from bigint, p_from_bucket text, p_to bigint, p_to_bucket text, p_amount bigint,
  p_subject text, p_actor text, p_correlation text, p_reference text, p_note text)
returns entry
language plpgsql as $$
declare
  new_entry entry;
  source account;
  target account;
begin
  -- By id alone, and compared afterwards: a planner without statistics would rather read every
  -- account of the marketplace.
  perform 1 from account where id in (p_from, p_to) and owner_id <> ''
  order by id for no key update;
  select * into source from account where id = p_from;
  select * into target from account where id = p_to;
  if source.marketplace_id is distinct from p_marketplace
    or target.marketplace_id is distinct from p_marketplace
    or source.currency <> target.currency then
    raise exception 'an entry stays within one marketplace and one currency';
  end if;

  if p_from = p_to then
    source := books.change_account(p_now, source,
      case p_to_bucket when 'available' then p_amount else -p_amount end,
      case p_to_bucket when 'reserved' then p_amount else -p_amount end);
  else
    source := books.change_account(p_now, source,
      case p_from_bucket when 'available' then -p_amount else 0 end,
      case p_from_bucket when 'reserved' then -p_amount else 0 end);
    target := books.change_account(p_now, target,
      case p_to_bucket when 'available' then p_amount else 0 end,
      case p_to_bucket when 'reserved' then p_amount else 0 end);
  end if;
  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  values (p_marketplace, books.next_entry_id(books.entry_id_floor(p_now)),
    p_kind, source.currency, p_amount, p_from, p_from_bucket, p_to, p_to_bucket,
    case when source.owner_id <> '' then source.version end,
    case when source.owner_id <> '' then source.available end,
    case when source.owner_id <> '' then source.reserved end,
    case when target.owner_id <> '' and p_from <> p_to then target.version end,
    case when target.owner_id <> '' and p_from <> p_to then target.available end,
    case when target.owner_id <> '' and p_from <> p_to then target.reserved end,
    p_subject, p_actor, p_correlation, p_reference, p_note, p_now)
  returning * into new_entry;
  return new_entry;
end $$;
alter function books.post_entry owner to holdfast_books;
revoke execute on function books.post_entry from public;

-- functions/custody/take_pooled_wallet.sql
-- Makes a pooled wallet the wallet of a user, inside the transaction of the user, and returns its
-- address; null when it is gone. The sealed seed goes from row to row: the API server, which calls
-- this, can neither read nor write one. By the index even where the table is so small that a scan
-- is cheaper: under serializable isolation a scan has read every pooled wallet, and users created
-- at the same time would collide.
create or replace function custody.take_pooled_wallet(p_now timestamptz, p_wallet text, p_user text)
returns text
language sql security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off as $$
  with taken as (
    delete from pooled_wallet where id = p_wallet and status = 'READY'
    returning id, address, sealed_seed, wrapped_key, key_version, purpose)
  insert into wallet (marketplace_id, id, user_id, status, address, sealed_seed, wrapped_key,
    key_version, purpose, created_at, ready_at)
  select current_setting('app.marketplace_id')::bigint, id, p_user, 'READY', address, sealed_seed,
    wrapped_key, key_version, purpose, p_now, p_now from taken
  returning address
$$;
alter function custody.take_pooled_wallet owner to holdfast_custody;
revoke execute on function custody.take_pooled_wallet from public;
grant execute on function custody.take_pooled_wallet to holdfast_api;

-- functions/public/account_history.sql
-- A stretch of an account's history, for statements. Entries never change and an account numbers
-- its own, so a stretch is the same whenever it is read: no transaction stays open while a client
-- reads slowly.
create or replace function account_history(p_account bigint, p_first bigint, p_last bigint,
  p_count int)
returns table (seq bigint, entry_id bigint, kind text, subject_id text, reference text, note text,
  created_at timestamptz, available_change bigint, reserved_change bigint,
  available bigint, reserved bigint)
language sql stable as $$
  select * from (
    (select e.from_seq, e.id, e.kind, e.subject_id, e.reference, e.note, e.created_at,
      case e.from_bucket when 'available' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'available' then e.amount else 0 end,
      case e.from_bucket when 'reserved' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'reserved' then e.amount else 0 end,
      e.from_available, e.from_reserved
    from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.from_account = p_account and e.from_seq between p_first and p_last
    order by e.from_seq limit p_count)
    union all
    (select e.to_seq, e.id, e.kind, e.subject_id, e.reference, e.note, e.created_at,
      case e.to_bucket when 'available' then e.amount else 0 end,
      case e.to_bucket when 'reserved' then e.amount else 0 end,
      e.to_available, e.to_reserved
    from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.to_account = p_account and e.to_seq between p_first and p_last
    order by e.to_seq limit p_count)
  ) as legs (seq, entry_id, kind, subject_id, reference, note, created_at, available_change,
    reserved_change, available, reserved)
  order by seq limit p_count
$$;
revoke execute on function account_history from public;
grant execute on function account_history to holdfast_api;

-- functions/public/account_seq_before.sql
-- The number of an account's last entry before a moment; zero when there is none.
create or replace function account_seq_before(p_account bigint, p_moment timestamptz) returns bigint
language sql stable as $$
  select coalesce(max(seq), 0) from (
    (select e.from_seq as seq from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.from_account = p_account and e.from_seq is not null
      and e.id < books.entry_id_floor(p_moment)
    order by e.from_seq desc limit 1)
    union all
    (select e.to_seq from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.to_account = p_account and e.to_seq is not null
      and e.id < books.entry_id_floor(p_moment)
    order by e.to_seq desc limit 1)) as last_on_each_side
$$;
revoke execute on function account_seq_before from public;
grant execute on function account_seq_before to holdfast_api;

-- functions/public/audit_content.sql
-- Everything that an audit row says, in one text: its link in the chain covers it. JSON of a fixed
-- list of values, so that a column added later changes no old hash, and anyone can compute it. For a
-- row that names its client, a second list follows. One expression without a query, which PostgreSQL
-- puts into the sequencer's own: it computes this for every row.
create or replace function audit_content(a audit, e entry) returns text
language sql stable as $$
  select jsonb_build_array(
    a.marketplace_id, a.id, extract(epoch from a.occurred_at), a.action, a.resource_type,
    a.resource_id, a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.before, a.after,
    case when a.entry_id is not null then jsonb_build_array(
      e.id, e.kind, e.currency, e.amount, e.from_account, e.from_bucket, e.to_account, e.to_bucket,
      e.from_seq, e.from_available, e.from_reserved, e.to_seq, e.to_available, e.to_reserved,
      e.subject_id, e.actor_id, e.correlation_id, e.reference, e.note,
      extract(epoch from e.created_at)) end)::text
    || case when a.address is null and a.user_agent is null then ''
      else jsonb_build_array(a.address, a.user_agent)::text end
$$;
revoke execute on function audit_content from public;
grant execute on function audit_content to holdfast_sequencer, holdfast_auditor;

-- functions/public/drop_event_months.sql
-- Drops the months of the event log that lie wholly before a time. Never the last two days, for any
-- caller.
create or replace function drop_event_months(before timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  month_partition record;
  dropped_count int := 0;
begin
  for month_partition in
    select c.relname,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.event'::regclass and c.relname ~ '^event_\d{4}_\d{2}$'
  loop
    if month_partition.ends <= least(before, now() - interval '2 days') then
      execute format('drop table public.%I', month_partition.relname);
      dropped_count := dropped_count + 1;
    end if;
  end loop;
  return dropped_count;
end $$;
revoke execute on function drop_event_months from public;
grant execute on function drop_event_months to holdfast_worker;

-- functions/public/sum_insight_hours.sql
-- The sums of every hour of a period that has entries or new orders, for the marketplace of the
-- transaction.
create or replace function sum_insight_hours(p_from timestamptz, p_until timestamptz)
returns setof insight_hour language sql stable as $$
  with booked as (
    select to_timestamp(1767225600 + ((e.id >> 22) / 3600000) * 3600) as hour, e.currency,
      sum(case when e.to_bucket = 'reserved' then e.amount else 0 end
        - case when e.from_bucket = 'reserved' then e.amount else 0 end) as reserved,
      sum(case when e.kind = 'escrow_fund' then e.amount
        when e.kind in ('escrow_unfund', 'order_release', 'order_refund', 'order_fee') then -e.amount
        else 0 end) as escrow,
      count(*) filter (where e.kind = 'escrow_fund')
        - count(*) filter (where e.kind = 'escrow_unfund') as funded,
      sum(case e.kind when 'escrow_fund' then e.amount when 'escrow_unfund' then -e.amount else 0 end)
        as funded_amount,
      count(*) filter (where e.kind = 'order_release') as released,
      sum(case e.kind when 'order_release' then e.amount else 0 end) as released_amount,
      count(*) filter (where e.kind = 'order_refund') as refunded,
      sum(case e.kind when 'order_refund' then e.amount else 0 end) as refunded_amount,
      sum(case e.kind when 'order_fee' then e.amount else 0 end) as fees,
      sum(case when e.kind in ('topup', 'deposit') then e.amount else 0 end) as paid_in,
      sum(case when e.kind in ('withdrawal_payout', 'withdrawal_crypto') then e.amount else 0 end)
        as paid_out
    from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.id >= books.entry_id_floor(p_from) and e.id < books.entry_id_floor(p_until)
    group by 1, 2),
  made as (
    select date_trunc('hour', o.created_at, 'UTC') as hour, o.currency, count(*) as created,
      sum(o.amount) as created_amount
    from orders o
    where o.marketplace_id = current_setting('app.marketplace_id')::bigint
      and o.created_at >= p_from and o.created_at < p_until
    group by 1, 2)
  select current_setting('app.marketplace_id')::bigint, hour, currency,
    coalesce(b.reserved, 0)::bigint, coalesce(b.escrow, 0)::bigint,
    coalesce(m.created, 0)::int, coalesce(m.created_amount, 0)::bigint,
    coalesce(b.funded, 0)::int, coalesce(b.funded_amount, 0)::bigint,
    coalesce(b.released, 0)::int, coalesce(b.released_amount, 0)::bigint,
    coalesce(b.refunded, 0)::int, coalesce(b.refunded_amount, 0)::bigint,
    coalesce(b.fees, 0)::bigint, coalesce(b.paid_in, 0)::bigint, coalesce(b.paid_out, 0)::bigint
  from booked b full join made m using (hour, currency)
$$;
revoke execute on function sum_insight_hours from public;
grant execute on function sum_insight_hours to holdfast_api, holdfast_worker;

-- functions/work/audit_heads.sql
-- The ends of the audit chains and their hashes, which are recorded outside of this database every
-- day. Some at a time, in the order of their numbers: number 0 is the chain of the platform, and a
-- chain stays in the list when its marketplace has no row any more.
create or replace function work.audit_heads(after bigint, at_most int)
returns table (marketplace_id bigint, name text, "position" bigint, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, case when h.marketplace_id = 0 then 'platform'
      else coalesce(m.public_id, 'number ' || h.marketplace_id) end,
    h.chain_position, h.chain_hash
  from event_head h left join marketplace m on m.id = h.marketplace_id
  where h.marketplace_id > after order by h.marketplace_id limit at_most
$$;
alter function work.audit_heads owner to holdfast_operator;
revoke execute on function work.audit_heads from public;
grant execute on function work.audit_heads to holdfast_worker;

-- functions/work/audit_links.sql
-- The next links of an audit chain, for the archive outside of this database. Without the rows that
-- they cover: those hold personal data.
create or replace function work.audit_links(chain bigint, after bigint, at_most int)
returns table ("position" bigint, audit_id text, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.position, l.audit_id, l.hash from audit_link l
  where l.marketplace_id = chain and l.position > after order by l.position limit at_most
$$;
alter function work.audit_links owner to holdfast_operator;
revoke execute on function work.audit_links from public;
grant execute on function work.audit_links to holdfast_worker;

-- functions/work/booked_sums.sql
-- All balances of the deployment, by currency and kind of account.
create or replace function work.booked_sums()
returns table (currency text, kind text, minor numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.currency, a.kind, sum(a.available + a.reserved) from account a
  where a.owner_id <> '' group by 1, 2
  union all
  select a.currency, a.kind, sum(p.delta) from house_delta p join account a on a.id = p.account_id
  group by 1, 2
$$;
alter function work.booked_sums owner to holdfast_operator;
revoke execute on function work.booked_sums from public;
grant execute on function work.booked_sums to holdfast_worker;

-- functions/work/busy_addresses.sql
-- Which of these addresses take part in a transaction without a final status: as its source, or in
-- a batch of the mirror.
create or replace function work.busy_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(addresses) as wanted
  where exists (select from envelope e where e.source = wanted and e.state = 'OPEN')
    or exists (select from mirror_item i where i.address = wanted and i.status = 'OPEN')
$$;
alter function work.busy_addresses owner to holdfast_operator;
revoke execute on function work.busy_addresses from public;
grant execute on function work.busy_addresses to holdfast_worker;

-- functions/work/check_repeated_event.sql
-- The marketplace of a webhook that was received before, and whether its body is the same now.
-- Counts a body that differs.
create or replace function work.check_repeated_event(wanted_provider text, wanted_event text,
  sent_body text)
returns table (marketplace_id bigint, is_same boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.marketplace_id, i.body = sent_body from inbox i
    where i.provider = wanted_provider and i.provider_event_id = wanted_event;
  update inbox i set contradictions = i.contradictions + 1
  where i.provider = wanted_provider and i.provider_event_id = wanted_event and i.body <> sent_body;
end $$;
alter function work.check_repeated_event owner to holdfast_operator;
revoke execute on function work.check_repeated_event from public;
grant execute on function work.check_repeated_event to holdfast_api;

-- functions/work/contract_fees_to_record.sql
-- Contracts that have paid and whose fee is not recorded, with the transactions that paid. A
-- contract of several milestones pays in several transactions, and a webhook can report the last
-- one before its final status is recorded here: a fee computed from the others would stay too
-- small.
create or replace function work.contract_fees_to_record(at_most int)
returns table (marketplace_id bigint, escrow_id text, contract_id text, hashes text[])
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.id, e.provider_contract_id, paid.hashes
  from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  cross join lateral (
    select coalesce(array_agg(v.hash) filter (where v.state = 'APPLIED'), '{}') as hashes,
      coalesce(bool_or(v.state = 'OPEN'), false) as is_open
    from operation o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
    join envelope v on v.marketplace_id = s.marketplace_id and v.purpose = s.purpose
    where o.marketplace_id = f.marketplace_id and o.resource_id = f.order_id
      -- All money of a contract moves out of it, but for its funding.
      and s.moves_money and o.kind <> 'fund-escrow'
  ) paid
  where f.provider_stroops is null and not paid.is_open order by f.escrow_id limit at_most
$$;
alter function work.contract_fees_to_record owner to holdfast_operator;
revoke execute on function work.contract_fees_to_record from public;
grant execute on function work.contract_fees_to_record to holdfast_worker;

-- functions/work/count_ready_wallets.sql
-- The number of wallets that the network has.
create or replace function work.count_ready_wallets() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.status = 'READY'
$$;
alter function work.count_ready_wallets owner to holdfast_operator;
revoke execute on function work.count_ready_wallets from public;
grant execute on function work.count_ready_wallets to holdfast_worker;

-- functions/work/count_wallets_since.sql
-- The number of wallets that users got since then, over all marketplaces.
create or replace function work.count_wallets_since(since timestamptz) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*) from wallet w where w.created_at > since
$$;
alter function work.count_wallets_since owner to holdfast_operator;
revoke execute on function work.count_wallets_since from public;
grant execute on function work.count_wallets_since to holdfast_worker;

-- functions/work/event_heads.sql
-- The last position in the event log of each of these marketplaces.
create or replace function work.event_heads(marketplaces bigint[])
returns table (marketplace_id bigint, "position" bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, h.position from event_head h where h.marketplace_id = any (marketplaces)
$$;
alter function work.event_heads owner to holdfast_operator;
revoke execute on function work.event_heads from public;
grant execute on function work.event_heads to holdfast_api, holdfast_worker;

-- functions/work/event_logs_to_mirror.sql
-- Marketplaces whose event log is ahead of the mirror's cursor.
create or replace function work.event_logs_to_mirror(at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id from event_head h
  left join mirror_cursor c on c.marketplace_id = h.marketplace_id
  where h.position > coalesce(c.position, 0) order by h.position - coalesce(c.position, 0) limit at_most
$$;
alter function work.event_logs_to_mirror owner to holdfast_operator;
revoke execute on function work.event_logs_to_mirror from public;
grant execute on function work.event_logs_to_mirror to holdfast_worker;

-- functions/work/has_open_envelope.sql
-- Whether an account has another transaction without a final status, in any marketplace: house
-- wallets serve them all, and of two transactions with one sequence number only one can take
-- effect. The mirror's batches count too: their source is a channel, yet they move the account's
-- money.
create or replace function work.has_open_envelope(wanted_source text, own_purpose text)
returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
      select from envelope where source = wanted_source and state = 'OPEN' and purpose <> own_purpose)
    or exists (select from mirror_item i where i.address = wanted_source and i.status = 'OPEN')
$$;
alter function work.has_open_envelope owner to holdfast_operator;
revoke execute on function work.has_open_envelope from public;
grant execute on function work.has_open_envelope to holdfast_worker;

-- functions/work/house_marketplace.sql
-- The marketplace that stands for the house: the named one, or the only one.
create or replace function work.house_marketplace(named text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when named is not null then (select m.id from marketplace m where m.public_id = named)
    else (select min(m.id) from marketplace m having count(*) = 1) end
$$;
alter function work.house_marketplace owner to holdfast_operator;
revoke execute on function work.house_marketplace from public;
grant execute on function work.house_marketplace to holdfast_api, holdfast_worker;

-- functions/work/in_transit_sums.sql
-- Money that moves on the network for an order or a withdrawal right now, and the provider's fees
-- on contracts that have paid but whose fee is not recorded yet.
create or replace function work.in_transit_sums() returns table (asset text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'USDC', coalesce(sum(o.amount), 0) * 100000 from open_order w
  join orders o on o.marketplace_id = w.marketplace_id and o.id = w.order_id
  left join escrow e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id
  left join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
    and d.resolved_at is null
  where o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
    or d.decision is not null
  union all
  select case w.currency when 'XLM' then 'XLM' else 'USDC' end, sum(w.amount) * 100000
  from withdrawal w where w.destination_type = 'crypto'
    and w.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')
  group by 1
  union all
  select 'USDC', coalesce(sum(e.amount * 100000 * 30 / 10000), 0) from contract_fee f
  join escrow e on e.marketplace_id = f.marketplace_id and e.id = f.escrow_id
  where f.provider_stroops is null
$$;
alter function work.in_transit_sums owner to holdfast_operator;
revoke execute on function work.in_transit_sums from public;
grant execute on function work.in_transit_sums to holdfast_worker;

-- functions/work/inbox_events_due.sql
-- Webhooks from providers that are due, of all marketplaces and of none yet.
create or replace function work.inbox_events_due(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, provider text, provider_event_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.marketplace_id, i.provider, i.provider_event_id from inbox i
  where i.status = 'PENDING' and i.next_try_at <= due_at order by i.next_try_at limit at_most
$$;
alter function work.inbox_events_due owner to holdfast_operator;
revoke execute on function work.inbox_events_due from public;
grant execute on function work.inbox_events_due to holdfast_worker;

-- functions/work/insights_to_sum.sql
-- Marketplaces whose hourly sums are behind.
create or replace function work.insights_to_sum(until timestamptz, at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m left join insight_head h on h.marketplace_id = m.id
  where h.summed_until is null or h.summed_until < until
  order by h.summed_until nulls first, m.id limit at_most
$$;
alter function work.insights_to_sum owner to holdfast_operator;
revoke execute on function work.insights_to_sum from public;
grant execute on function work.insights_to_sum to holdfast_worker;

-- functions/work/is_own_address.sql
-- Whether an address is the house's, a pooled wallet's or any user's, in any marketplace.
create or replace function work.is_own_address(wanted_address text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from house_wallet h where h.address = wanted_address)
    or exists (select from pooled_wallet s where s.address = wanted_address)
    or exists (select from wallet w where w.address = wanted_address)
$$;
alter function work.is_own_address owner to holdfast_operator;
revoke execute on function work.is_own_address from public;
grant execute on function work.is_own_address to holdfast_api;

-- functions/work/known_deposits.sql
-- Which of these network operations are recorded as deposits.
create or replace function work.known_deposits(operation_ids text[])
returns table (operation_id text, transfer_index int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select d.operation_id, d.transfer_index from deposit d where d.operation_id = any (operation_ids)
$$;
alter function work.known_deposits owner to holdfast_operator;
revoke execute on function work.known_deposits from public;
grant execute on function work.known_deposits to holdfast_api, holdfast_worker;

-- functions/work/log_requests.sql
-- Writes one batch of the request log, of many marketplaces: a process hands over the requests that
-- it served.
create or replace function work.log_requests(lines json) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into request_log (marketplace_id, id, occurred_at, method, route, path, status, latency_ms,
    actor_id, request_id, idempotency_key, is_replay, error_code, address, user_agent)
  select * from json_to_recordset(lines) as line (marketplace_id bigint, id text,
    occurred_at timestamptz, method text, route text, path text, status smallint, latency_ms int,
    actor_id text, request_id text, idempotency_key text, is_replay boolean, error_code text,
    address text, user_agent text)
$$;
alter function work.log_requests owner to holdfast_operator;
revoke execute on function work.log_requests from public;
grant execute on function work.log_requests to holdfast_api;

-- functions/work/marketplace_of_order.sql
-- The marketplace of an order that a provider has named.
create or replace function work.marketplace_of_order(wanted_order text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  -- By the key of orders, once for each marketplace: an index by id alone would be one more for
  -- serializable transactions to collide in, and this is only called during a deployment.
  select m.id from marketplace m
  where exists (select from orders o where o.marketplace_id = m.id and o.id = wanted_order)
$$;
alter function work.marketplace_of_order owner to holdfast_operator;
revoke execute on function work.marketplace_of_order from public;
grant execute on function work.marketplace_of_order to holdfast_api, holdfast_worker;

-- functions/work/marketplaces_to_mirror.sql
-- Marketplaces with users in the mirror's queue that are due. Walks from one marketplace to the
-- next by the index, however many users are queued. Where signing is stopped, the users wait.
create or replace function work.marketplaces_to_mirror(due_at timestamptz) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive market (id) as (
    select min(d.marketplace_id) from mirror_queue d
    union all
    select (select min(d.marketplace_id) from mirror_queue d where d.marketplace_id > market.id)
    from market where market.id is not null)
  select market.id from market
  where market.id is not null and exists (
    select from mirror_queue d
    where d.marketplace_id = market.id and not exists (
      select from mirror_backoff w where w.marketplace_id = d.marketplace_id
        and w.user_id = d.user_id and w.next_poll_at > due_at))
    and not exists (
      select from marketplace_stop s where s.marketplace_id = market.id
        and s.level = 'SIGNING' and s.lifted_at is null)
$$;
alter function work.marketplaces_to_mirror owner to holdfast_operator;
revoke execute on function work.marketplaces_to_mirror from public;
grant execute on function work.marketplaces_to_mirror to holdfast_worker;

-- functions/work/marketplaces_to_reconcile.sql
-- Marketplaces that were not reconciled since a time.
create or replace function work.marketplaces_to_reconcile(since timestamptz, at_most int)
returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m
  where m.created_at <= since and not exists (select from reconciliation_run r
    where r.marketplace_id = m.id and (r.status = 'RUNNING' or r.created_at > since))
  order by m.id limit at_most
$$;
alter function work.marketplaces_to_reconcile owner to holdfast_operator;
revoke execute on function work.marketplaces_to_reconcile from public;
grant execute on function work.marketplaces_to_reconcile to holdfast_worker;

-- functions/work/mirror_batches_due.sql
-- Batches of the mirror that are due to be continued.
create or replace function work.mirror_batches_due(due_at timestamptz, at_most int)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select b.marketplace_id, b.id from mirror_batch b
  where b.status = 'OPEN' and b.next_try_at <= due_at order by b.next_try_at limit at_most
$$;
alter function work.mirror_batches_due owner to holdfast_operator;
revoke execute on function work.mirror_batches_due from public;
grant execute on function work.mirror_batches_due to holdfast_worker;

-- functions/work/mirrored_sums.sql
-- What users' addresses are known to hold, how much of it is dust, how much the mirror still has to
-- move, and how much the addresses were found to lack.
create or replace function work.mirrored_sums()
returns table (asset text, stroops numeric, dust numeric, moving numeric, lacking numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with booked as (
    select a.marketplace_id, a.owner_id as user_id,
      case a.currency when 'XLM' then 'XLM' else 'USDC' end as asset,
      sum(a.available + a.reserved) * 100000 as stroops
    from account a where a.kind = 'user' group by 1, 2, 3)
  select asset, coalesce(sum(m.stroops), 0), coalesce(sum(m.dust_stroops), 0),
    coalesce(sum(abs(coalesce(b.stroops, 0) + coalesce(m.dust_stroops, 0) - coalesce(m.stroops, 0))), 0),
    coalesce((select sum(s.stroops) from address_shortfall s where s.asset = both_sides.asset), 0)
  from (select marketplace_id, user_id, asset from booked
    union select marketplace_id, user_id, asset from wallet_mirror) both_sides
  left join booked b using (marketplace_id, user_id, asset)
  left join wallet_mirror m using (marketplace_id, user_id, asset)
  group by asset
$$;
alter function work.mirrored_sums owner to holdfast_operator;
revoke execute on function work.mirrored_sums from public;
grant execute on function work.mirrored_sums to holdfast_worker;

-- functions/work/oldest_marketplace.sql
-- The marketplace whose audit log records actions of the house when no marketplace is the
-- operator's own.
create or replace function work.oldest_marketplace() returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select min(m.id) from marketplace m
$$;
alter function work.oldest_marketplace owner to holdfast_operator;
revoke execute on function work.oldest_marketplace from public;
grant execute on function work.oldest_marketplace to holdfast_api, holdfast_worker;

-- functions/work/operations_to_run.sql
-- Operations that are due and have shown no sign of life since a time.
create or replace function work.operations_to_run(at_most int, silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select o.marketplace_id, o.id, o.epoch from open_operation w
  join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id
  where greatest(o.next_try_at, o.heartbeat_at) <= silent_since
  order by greatest(o.next_try_at, o.heartbeat_at) limit at_most
$$;
alter function work.operations_to_run owner to holdfast_operator;
revoke execute on function work.operations_to_run from public;
grant execute on function work.operations_to_run to holdfast_worker;

-- functions/work/order_of_contract.sql
-- The order and escrow of a contract: a provider can name nothing else.
create or replace function work.order_of_contract(wanted_contract text)
returns table (marketplace_id bigint, order_id text, escrow_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.marketplace_id, e.order_id, e.id from contract c
  join escrow e on e.marketplace_id = c.marketplace_id and e.id = c.escrow_id
  where c.provider_contract_id = wanted_contract
$$;
alter function work.order_of_contract owner to holdfast_operator;
revoke execute on function work.order_of_contract from public;
grant execute on function work.order_of_contract to holdfast_api, holdfast_worker;

-- functions/work/own_addresses.sql
-- Which of these addresses are ours: of users, of the house, of the pool, of contracts.
create or replace function work.own_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select address from wallet where address = any (addresses)
  union all select address from house_wallet where address = any (addresses)
  union all select address from pooled_wallet where address = any (addresses)
  union all select provider_contract_id from contract where provider_contract_id = any (addresses)
$$;
alter function work.own_addresses owner to holdfast_operator;
revoke execute on function work.own_addresses from public;
grant execute on function work.own_addresses to holdfast_api, holdfast_worker;

-- functions/work/own_transactions.sql
-- Which of these transactions are ours. By the inner hash too: an outsider can wrap our signed
-- transaction in a fee bump.
create or replace function work.own_transactions(hashes text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select hash from envelope where hash = any (hashes)
  union all select inner_hash from envelope where inner_hash = any (hashes)
$$;
alter function work.own_transactions owner to holdfast_operator;
revoke execute on function work.own_transactions from public;
grant execute on function work.own_transactions to holdfast_api, holdfast_worker;

-- functions/work/payments/payment_records.sql
-- Our records of these pay-ins or pay-outs, of all marketplaces.
create or replace function work.payment_records(wanted_kind text, codes text[])
returns table (marketplace_id bigint, id text, status text, currency text, amount bigint,
  booked bigint, awaits_record boolean, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.marketplace_id, t.id, t.status, t.currency, t.amount,
    t.credited + t.suspended - t.booked_fee - t.booked_reversal,
    t.received is not null and t.fee is null,
    t.created_at, t.updated_at
  from payin_reference p join topup t on t.marketplace_id = p.marketplace_id and t.id = p.topup_id
  where wanted_kind = 'payin' and p.name = any (codes) and p.name = t.id
  union all
  select w.marketplace_id, w.id, w.status, w.currency, w.amount, -w.paid, false,
    w.created_at, w.updated_at
  from marketplace m cross join unnest(codes) as named (id)
  join withdrawal w on w.marketplace_id = m.id and w.id = named.id
  where wanted_kind = 'payout' and w.destination_type <> 'crypto'
$$;
alter function work.payment_records owner to holdfast_operator;
revoke execute on function work.payment_records from public;
grant execute on function work.payment_records to holdfast_api, holdfast_worker;

-- functions/work/payments/topup_of_payin.sql
-- The top-up of a pay-in, by our name for it or the provider's.
create or replace function work.topup_of_payin(wanted_name text)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.marketplace_id, p.topup_id from payin_reference p where p.name = wanted_name
$$;
alter function work.topup_of_payin owner to holdfast_operator;
revoke execute on function work.topup_of_payin from public;
grant execute on function work.topup_of_payin to holdfast_api, holdfast_worker;

-- functions/work/payments/topups_to_poll.sql
-- Top-ups that are due to be polled.
create or replace function work.topups_to_poll(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.topup_id from topup_poll l
  where l.next_poll_at <= due_at order by l.next_poll_at limit at_most
$$;
alter function work.topups_to_poll owner to holdfast_operator;
revoke execute on function work.topups_to_poll from public;
grant execute on function work.topups_to_poll to holdfast_worker;

-- functions/work/payments/unmatched_payments.sql
-- Our records since a time that this run has not found in the provider's list.
create or replace function work.unmatched_payments(wanted_kind text, run_marketplace bigint,
  wanted_run text, only_marketplace bigint, since_id text, after_id text, at_most int)
returns table (marketplace_id bigint, id text, status text, currency text, amount bigint,
  booked bigint, awaits_record boolean, created_at timestamptz, updated_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from (
    select t.marketplace_id, t.id, t.status, t.currency, t.amount,
      t.credited + t.suspended - t.booked_fee - t.booked_reversal,
    t.received is not null and t.fee is null,
      t.created_at, t.updated_at
    from topup t where wanted_kind = 'payin'
      and (only_marketplace is null or t.marketplace_id = only_marketplace)
      and t.id >= since_id and t.id > after_id
    union all
    select w.marketplace_id, w.id, w.status, w.currency, w.amount, -w.paid, false,
      w.created_at, w.updated_at
    from withdrawal w where wanted_kind = 'payout' and w.destination_type <> 'crypto'
      and (only_marketplace is null or w.marketplace_id = only_marketplace)
      and w.id >= since_id and w.id > after_id
  ) as known (marketplace_id, id, status, currency, amount, booked, awaits_record,
    created_at, updated_at)
  where not exists (select from reconciliation_match s where s.marketplace_id = run_marketplace
    and s.run_id = wanted_run and s.code = known.id)
  order by known.id limit at_most
$$;
alter function work.unmatched_payments owner to holdfast_operator;
revoke execute on function work.unmatched_payments from public;
grant execute on function work.unmatched_payments to holdfast_worker;

-- functions/work/payments/withdrawal_of_payout.sql
-- The withdrawal of a pay-out, by the provider's name for it or ours.
create or replace function work.withdrawal_of_payout(wanted_payout text, wanted_code text)
returns table (marketplace_id bigint, withdrawal_id text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select w.marketplace_id, w.id from withdrawal w
    where w.provider_payout_id = wanted_payout limit 1;
  if found then return; end if;
  -- By the key, once for each marketplace: an index by id alone would be one more for serializable
  -- transactions to collide in, and this is only reached by pay-outs whose name is not known yet.
  return query select m.id, named.id
    from unnest(array[wanted_code, wanted_payout]) as named (id) cross join marketplace m
    where exists (select from withdrawal w where w.marketplace_id = m.id and w.id = named.id) limit 1;
end $$;
alter function work.withdrawal_of_payout owner to holdfast_operator;
revoke execute on function work.withdrawal_of_payout from public;
grant execute on function work.withdrawal_of_payout to holdfast_api, holdfast_worker;

-- functions/work/payments/withdrawals_to_expire.sql
-- Withdrawals that were not committed in time.
create or replace function work.withdrawals_to_expire(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.id from withdrawal w
  where w.status = 'WITHDRAWAL_CREATED' and w.expires_at <= due_at
  order by w.expires_at limit at_most
$$;
alter function work.withdrawals_to_expire owner to holdfast_operator;
revoke execute on function work.withdrawals_to_expire from public;
grant execute on function work.withdrawals_to_expire to holdfast_worker;

-- functions/work/payments/withdrawals_to_poll.sql
-- Withdrawals whose pay-out is due to be polled.
create or replace function work.withdrawals_to_poll(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.id from withdrawal w
  where w.next_poll_at <= due_at order by w.next_poll_at limit at_most
$$;
alter function work.withdrawals_to_poll owner to holdfast_operator;
revoke execute on function work.withdrawals_to_poll from public;
grant execute on function work.withdrawals_to_poll to holdfast_worker;

-- functions/work/posted_exceptions.sql
-- The amounts that earlier resolutions of these exceptions have posted.
create or replace function work.posted_exceptions(keys text[])
returns table (marketplace_id bigint, key text, stroops numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select e.marketplace_id, e.key, sum(e.posted) * 100000 from reconciliation_exception e
  where e.status = 'RESOLVED' and e.key = any (keys) and e.posted is not null group by 1, 2
$$;
alter function work.posted_exceptions owner to holdfast_operator;
revoke execute on function work.posted_exceptions from public;
grant execute on function work.posted_exceptions to holdfast_worker;

-- functions/work/purge_webhook_deliveries.sql
-- Purges deliveries that were started before a time, a limited number per call. Ids start with
-- their time.
create or replace function work.purge_webhook_deliveries(before timestamptz, at_most int)
returns int
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with old as (
    select d.marketplace_id, d.endpoint_id, d.id from webhook_endpoint e
    join webhook_delivery d on d.marketplace_id = e.marketplace_id and d.endpoint_id = e.id
      and d.id < public.id_floor('whd', before)
    where d.outcome <> 'PENDING' limit at_most),
  gone as (
    delete from webhook_delivery d using old
    where d.marketplace_id = old.marketplace_id and d.endpoint_id = old.endpoint_id and d.id = old.id
    returning 1)
  select count(*)::int from gone
$$;
alter function work.purge_webhook_deliveries owner to holdfast_operator;
revoke execute on function work.purge_webhook_deliveries from public;
grant execute on function work.purge_webhook_deliveries to holdfast_worker;

-- functions/work/recorded_contract_fees.sql
-- The recorded fees of the escrow provider.
create or replace function work.recorded_contract_fees() returns numeric
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(sum(f.provider_stroops), 0) from contract_fee f
$$;
alter function work.recorded_contract_fees owner to holdfast_operator;
revoke execute on function work.recorded_contract_fees from public;
grant execute on function work.recorded_contract_fees to holdfast_worker;

-- functions/work/stops/stops_to_settle.sql
-- Stops that are not known yet to hold everywhere.
create or replace function work.stops_to_settle()
returns table (marketplace_id bigint, id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.marketplace_id, s.id from marketplace_stop s
  where s.lifted_at is null and s.settled_at is null order by s.id
$$;
alter function work.stops_to_settle owner to holdfast_operator;
revoke execute on function work.stops_to_settle from public;
grant execute on function work.stops_to_settle to holdfast_worker;

-- functions/work/unconfirmed_sums.sql
-- Money that is known by a notification only, by currency: it may not be at the provider at all.
create or replace function work.unconfirmed_sums()
returns table (currency text, minor numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.currency, sum(l.amount)
  from lien l join account a on a.marketplace_id = l.marketplace_id and a.id = l.account_id
  where l.lifted_at is null group by 1
$$;
alter function work.unconfirmed_sums owner to holdfast_books;
revoke execute on function work.unconfirmed_sums from public;
grant execute on function work.unconfirmed_sums to holdfast_worker;

-- functions/work/wallets_after.sql
-- The next addresses of the walk through all addresses.
create or replace function work.wallets_after(last_address text, at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w
  where w.address > last_address and w.status = 'READY' order by w.address limit at_most
$$;
alter function work.wallets_after owner to holdfast_operator;
revoke execute on function work.wallets_after from public;
grant execute on function work.wallets_after to holdfast_worker;

-- functions/work/wallets_at.sql
-- The users that these addresses belong to.
create or replace function work.wallets_at(addresses text[])
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, w.user_id, w.address from wallet w where w.address = any (addresses)
$$;
alter function work.wallets_at owner to holdfast_operator;
revoke execute on function work.wallets_at from public;
grant execute on function work.wallets_at to holdfast_api, holdfast_worker;

-- functions/work/wallets_to_create.sql
-- Wallets that are not ready, oldest first.
create or replace function work.wallets_to_create(at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, m.public_id, w.id
  from wallet w join marketplace m on m.id = w.marketplace_id
  where w.status <> 'READY' order by w.created_at limit at_most
$$;
alter function work.wallets_to_create owner to holdfast_operator;
revoke execute on function work.wallets_to_create from public;
grant execute on function work.wallets_to_create to holdfast_worker;

-- functions/work/wallets_with_shortfall.sql
-- Addresses that were found to lack something.
create or replace function work.wallets_with_shortfall(at_most int)
returns table (marketplace_id bigint, user_id text, address text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct w.marketplace_id, w.user_id, w.address from address_shortfall s
  join wallet w on w.marketplace_id = s.marketplace_id and w.user_id = s.user_id limit at_most
$$;
alter function work.wallets_with_shortfall owner to holdfast_operator;
revoke execute on function work.wallets_with_shortfall from public;
grant execute on function work.wallets_with_shortfall to holdfast_worker;

-- functions/work/webhook_lanes_to_run.sql
-- Webhook lanes that need a worker. An idle lane is due as soon as there are events behind its
-- cursor. A lane with a worker, or one that waits for its next try, is lost when it is due and has
-- shown no sign of life since a time.
create or replace function work.webhook_lanes_to_run(at_most int, at timestamptz,
  silent_since timestamptz)
returns table (marketplace_id bigint, id text, epoch int, lease_no int, is_lost boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.id, l.epoch, l.lease_no, l.is_leased or l.failures > 0
  from webhook_lane l
  join webhook_endpoint e on e.marketplace_id = l.marketplace_id and e.id = l.endpoint_id
  left join event_head h on h.marketplace_id = l.marketplace_id
  where l.status = 'OPEN' and l.next_try_at <= at
    and (e.status = 'ACTIVE' or (e.status = 'PAUSED' and l.kind = 'TEST'))
    and (l.kind <> 'LIVE' or h.position > l.position)
    and ((not l.is_leased and l.failures = 0)
      or greatest(l.next_try_at, l.heartbeat_at) <= silent_since)
  order by l.next_try_at limit at_most
$$;
alter function work.webhook_lanes_to_run owner to holdfast_operator;
revoke execute on function work.webhook_lanes_to_run from public;
grant execute on function work.webhook_lanes_to_run to holdfast_worker;

set local check_function_bodies = on;
