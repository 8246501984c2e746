-- Posting: the only way to write the books. Runs as holdfast_books whoever calls, checks the
-- marketplace and currency of every account it touches, and answers each request on its own:
-- one request's insufficient funds never fails its neighbours.

create type books.outcome as (
  item int,
  -- done · refused · replayed (an Idempotency-Key seen before) · repeated (a reference seen before)
  result text,
  entry_id bigint,
  available bigint,
  reserved bigint,
  refusal text,
  refusal_have bigint,
  refusal_reason text,
  request_hash uuid
);

-- The account of an owner, opened at its first use. Null when the user does not exist.
create function books.open_account(p_marketplace bigint, p_kind text, p_owner text, p_currency text,
  p_now timestamptz) returns bigint
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

-- One entry: moves an amount between two buckets and writes the journal. Locks in id order. The
-- caller has checked that the bucket holds the amount; the account's own constraint stands behind.
create function books.move(p_now timestamptz, p_marketplace bigint, p_kind text,
  p_from bigint, p_from_bucket text, p_to bigint, p_to_bucket text, p_amount bigint,
  p_subject text, p_actor text, p_correlation text, p_reference text, p_note text)
returns entry
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made entry;
  source account;
  target account;
begin
  -- By id alone, and compared afterwards: a planner without statistics would rather read every
  -- account of the marketplace.
  perform 1 from account where id in (p_from, p_to) and owner_id <> '' order by id for no key update;
  select * into source from account where id = p_from;
  select * into target from account where id = p_to;
  if source.marketplace_id is distinct from p_marketplace
    or target.marketplace_id is distinct from p_marketplace or source.currency <> target.currency then
    raise exception 'an entry stays within one marketplace and one currency';
  end if;
  if p_from = p_to then
    update account set
      available = available + case p_to_bucket when 'available' then p_amount else -p_amount end,
      reserved = reserved + case p_to_bucket when 'reserved' then p_amount else -p_amount end,
      version = version + 1, updated_at = p_now
    where id = p_from returning * into source;
    target := source;
  else
    if source.owner_id <> '' then
      update account set
        available = available - case p_from_bucket when 'available' then p_amount else 0 end,
        reserved = reserved - case p_from_bucket when 'reserved' then p_amount else 0 end,
        version = version + 1, updated_at = p_now
      where id = p_from returning * into source;
    else
      insert into house_part (marketplace_id, account_id, delta) values (p_marketplace, p_from, -p_amount);
    end if;
    if target.owner_id <> '' then
      update account set
        available = available + case p_to_bucket when 'available' then p_amount else 0 end,
        reserved = reserved + case p_to_bucket when 'reserved' then p_amount else 0 end,
        version = version + 1, updated_at = p_now
      where id = p_to returning * into target;
    else
      insert into house_part (marketplace_id, account_id, delta) values (p_marketplace, p_to, p_amount);
    end if;
  end if;
  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  values (p_marketplace, books.entry_id_floor(p_now) + (nextval('entry_number') & 4194303),
    p_kind, source.currency, p_amount, p_from, p_from_bucket, p_to, p_to_bucket,
    case when source.owner_id <> '' then source.version end,
    case when source.owner_id <> '' then source.available end,
    case when source.owner_id <> '' then source.reserved end,
    case when target.owner_id <> '' and p_from <> p_to then target.version end,
    case when target.owner_id <> '' and p_from <> p_to then target.available end,
    case when target.owner_id <> '' and p_from <> p_to then target.reserved end,
    p_subject, p_actor, p_correlation, p_reference, p_note, p_now)
  returning * into made;
  return made;
end $$;

-- Takes an amount out of the manual holds with this tag, oldest first. False when they hold less.
create function books.use_manual_holds(p_marketplace bigint, p_account bigint, p_subject text,
  p_amount bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  hold record;
  open_amount bigint := p_amount;
  taken bigint;
begin
  for hold in
    select id, remaining from reservation
    where marketplace_id = p_marketplace and account_id = p_account and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject
    order by id for update
  loop
    taken := least(hold.remaining, open_amount);
    update reservation set remaining = remaining - taken
    where marketplace_id = p_marketplace and id = hold.id;
    open_amount := open_amount - taken;
    exit when open_amount = 0;
  end loop;
  return open_amount = 0;
end $$;

-- Says why a balance request can't be done, or nothing. The account's row is locked by the caller.
create function books.why_refused(p_kind text, p_holder account, p_house bigint, p_subject text,
  p_amount bigint, p_default_limit bigint, out refusal text, out have bigint, out reason text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ceiling constant bigint := 100000000000000000;
  allowed bigint := p_default_limit;
begin
  if p_kind in ('debit', 'reserve') then
    if p_holder.available < p_amount then
      refusal := 'INSUFFICIENT_FUNDS';
      have := p_holder.available;
    end if;
  elsif p_kind = 'credit' then
    if p_holder.available + p_holder.reserved + p_amount > ceiling then
      refusal := 'BALANCE_CEILING';
      return;
    end if;
    select limit_minor into allowed from adjustment_limit
    where marketplace_id = p_holder.marketplace_id and currency = p_holder.currency;
    if not found then allowed := p_default_limit; end if;
    if allowed is not null then
      -- One credit at a time where a limit stands, so that two can't both take the last of it.
      perform pg_advisory_xact_lock(p_house);
      select -coalesce(sum(delta), 0) into have from house_part
      where marketplace_id = p_holder.marketplace_id and account_id = p_house;
      if have + p_amount > allowed then
        refusal := 'ADJUSTMENT_LIMIT';
        reason := allowed::text;
      end if;
    end if;
  else
    select coalesce(sum(remaining), 0) into have from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject;
    if have < p_amount or have = 0 then
      refusal := case p_kind when 'unreserve' then 'RESERVATION_EXCEEDED'
        when 'spend' then 'INVALID_RESERVED_DEDUCTION' else 'RESERVATION_NOT_FOUND' end;
      -- Who holds the money that the caller may not touch.
      select owner || coalesce(' ' || subject_id, '') into reason from reservation
      where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
        and not (owner = 'manual' and subject_id is not distinct from p_subject)
      order by subject_id is not distinct from p_subject desc, owner = 'manual', id limit 1;
    end if;
  end if;
end $$;

-- Binds an Idempotency-Key to what came of it. A twin that was faster makes this call start over.
create function books.remember(p_now timestamptz, p_marketplace bigint, p_idempotency uuid,
  p_request uuid, p_answer books.outcome) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_idempotency is null then return; end if;
  insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id, refusal,
    refusal_have, refusal_reason)
  values (p_marketplace, p_idempotency, p_request, p_now,
    case when p_answer.refusal is null then p_answer.entry_id end,
    p_answer.refusal, p_answer.refusal_have, p_answer.refusal_reason)
  on conflict do nothing;
  if not found then
    raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
  end if;
end $$;

-- One balance request, decided exactly: lock, look its keys up, check, move, hold, event, audit.
create function books.post_one(p_now timestamptz, p_default_limit bigint, p_item int, p_kind text,
  p_marketplace bigint, p_account bigint, p_house bigint, p_amount bigint, p_subject text,
  p_actor text, p_correlation text, p_reference text, p_note text, p_idempotency uuid,
  p_request uuid, p_audit text, p_reservation text) returns books.outcome
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  answer books.outcome;
  seen record;
  holder account;
  house account;
  why record;
  amount bigint := p_amount;
  made entry;
begin
  answer.item := p_item;
  select * into holder from account where id = p_account for no key update;
  if holder.marketplace_id is distinct from p_marketplace or holder.kind <> 'user' then
    raise exception 'account % is not of marketplace %', p_account, p_marketplace;
  end if;

  select * into house from account where id = p_house;
  if (p_house is not null) <> (p_kind in ('credit', 'debit', 'spend'))
    or (p_house is not null and (house.marketplace_id, house.kind, house.currency)
      is distinct from (p_marketplace, 'adjustments', holder.currency)) then
    raise exception 'account % is not the other side of a % here', p_house, p_kind;
  end if;

  -- Looked up under the account's lock: a twin of this request has committed or will wait for us.
  if p_idempotency is not null then
    select * into seen from idempotency
    where marketplace_id = p_marketplace and scope_hash = p_idempotency;
    if found then
      answer.result := 'replayed';
      answer.entry_id := seen.entry_id;
      answer.request_hash := seen.request_hash;
      answer.refusal := seen.refusal;
      answer.refusal_have := seen.refusal_have;
      answer.refusal_reason := seen.refusal_reason;
      return answer;
    end if;
  end if;

  if p_reference is not null then
    select * into seen from entry_reference
    where marketplace_id = p_marketplace and user_id = holder.owner_id and reference = p_reference;
    if found then
      answer.result := 'repeated';
      answer.entry_id := seen.entry_id;
      answer.request_hash := seen.request_hash;
      -- Same content: the key stands for the first entry. Other content: the key is bound to no.
      if seen.request_hash <> p_request then answer.refusal := 'REFERENCE_REUSED'; end if;
      perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
      return answer;
    end if;
  end if;

  if p_kind = 'cancel' then
    select coalesce(sum(remaining), 0) into amount from reservation
    where marketplace_id = p_marketplace and account_id = p_account and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject;
  end if;
  select * into why from books.why_refused(p_kind, holder, p_house, p_subject, amount, p_default_limit);
  if why.refusal is not null then
    answer.result := 'refused';
    answer.refusal := why.refusal;
    answer.refusal_have := why.have;
    answer.refusal_reason := why.reason;
    perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
    return answer;
  end if;

  if p_kind in ('unreserve', 'spend', 'cancel')
    and not books.use_manual_holds(p_marketplace, p_account, p_subject, amount) then
    raise exception 'holds of account % changed under its lock', p_account;
  end if;
  made := books.move(p_now, p_marketplace, case p_kind when 'cancel' then 'unreserve' else p_kind end,
    case p_kind when 'credit' then p_house else p_account end,
    case when p_kind in ('unreserve', 'spend', 'cancel') then 'reserved' else 'available' end,
    case when p_kind in ('debit', 'spend') then p_house else p_account end,
    case when p_kind = 'reserve' then 'reserved' else 'available' end,
    amount, p_subject, p_actor, p_correlation, p_reference, p_note);
  if p_kind = 'reserve' then
    insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
      entry_id, created_at)
    values (p_marketplace, p_reservation, p_account, 'manual', p_subject, amount, amount, made.id, p_now);
  end if;
  if p_reference is not null then
    insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
    values (p_marketplace, holder.owner_id, p_reference, p_request, made.id);
  end if;
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_marketplace, books.event_of(p_kind), holder.owner_id, made.id, p_audit, p_actor,
    p_correlation);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id)
  values (p_marketplace, p_audit, p_now, books.audit_action_of(p_kind), 'Balance', holder.owner_id,
    'API_KEY', p_actor, 'SUCCESS', p_note, p_correlation, made.id);
  answer.result := 'done';
  answer.entry_id := made.id;
  answer.available := coalesce(made.to_available, made.from_available);
  answer.reserved := coalesce(made.to_reserved, made.from_reserved);
  perform books.remember(p_now, p_marketplace, p_idempotency, p_request, answer);
  return answer;
end $$;

create function books.event_of(kind text) returns text language sql immutable as $$
  select case kind when 'credit' then 'balance.credited' when 'debit' then 'balance.debited'
    when 'reserve' then 'balance.reserved' when 'unreserve' then 'balance.released'
    when 'cancel' then 'balance.released' when 'spend' then 'balance.debited' end
$$;

create function books.audit_action_of(kind text) returns text language sql immutable as $$
  select case kind when 'credit' then 'BALANCE_CREDITED' when 'debit' then 'BALANCE_DEBITED'
    when 'reserve' then 'BALANCE_RESERVED' when 'unreserve' then 'BALANCE_UNRESERVED'
    when 'cancel' then 'RESERVATIONS_CANCELED' when 'spend' then 'RESERVED_SPENT' end
$$;

-- Many balance requests in one commit. What each account goes through on the way is worked out
-- first; when every floor and ceiling holds and no key was seen before, a few set-based statements
-- do it all. Otherwise each request is decided in order by post_one. Nothing here is taken on
-- trust: marketplace, owner and currency of every request are compared with the account's own.
create function books.post_batch(p_now timestamptz, p_default_limit bigint, p_exact boolean,
  p_kind text[], p_marketplace bigint[], p_account bigint[], p_owner text[], p_currency text[],
  p_house bigint[], p_amount bigint[], p_subject text[], p_actor text[], p_correlation text[],
  p_reference text[], p_note text[], p_idempotency uuid[], p_request uuid[], p_audit text[],
  p_reservation text[])
returns setof books.outcome
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  item_count constant int := cardinality(p_kind);
  keyed_count constant int := item_count - cardinality(array_positions(p_idempotency, null));
  referenced_count constant int := item_count - cardinality(array_positions(p_reference, null));
  plain boolean := not p_exact and p_kind <@ array['credit', 'debit', 'reserve'];
  -- Per request: its place among its account's, and the account's course up to and with it.
  slot int[];
  seq int[];
  run_available bigint[];
  run_reserved bigint[];
  -- Per account, in id order, which is the order everybody locks in.
  account_ids bigint[];
  base_available bigint[];
  base_reserved bigint[];
  base_version bigint[];
  ids bigint[];
  written bigint;
begin
  if plain then
    select array_agg(t.slot order by item), array_agg(t.seq order by item),
      array_agg(t.available order by item), array_agg(t.reserved order by item)
    into slot, seq, run_available, run_reserved
    from (
      select item, dense_rank() over (order by account)::int as slot,
        (row_number() over course)::int as seq,
        (sum(case kind when 'credit' then amount else -amount end) over course)::bigint as available,
        (sum(case kind when 'reserve' then amount else 0 end) over course)::bigint as reserved
      from unnest(p_kind, p_account, p_amount) with ordinality as t (kind, account, amount, item)
      window course as (partition by account order by item)) t;
    -- A read without locks, so that a batch that can't go the short way is not undone half-way.
    select count(*) = max(t.slots) and bool_and(
        a.kind = 'user' and a.marketplace_id = t.marketplace and a.owner_id = t.owner and a.currency = t.currency
        and a.available + t.low >= 0 and a.available + a.reserved + t.high <= 100000000000000000)
      and bool_and(t.is_one), array_agg(a.id order by a.id)
    into plain, account_ids
    from (
      select account, min(marketplace) as marketplace, min(owner) as owner, min(currency) as currency,
        min(marketplace) = max(marketplace) and min(owner) = max(owner) and min(currency) = max(currency) as is_one,
        min(available) as low, max(available + reserved) as high, count(*) over () as slots
      from unnest(p_account, p_marketplace, p_owner, p_currency, run_available, run_reserved)
        as t (account, marketplace, owner, currency, available, reserved)
      group by account) t
    join account a on a.id = t.account;
  end if;
  if plain then
    -- The house side of every credit and debit, and of nothing else.
    select coalesce(bool_and(
        case t.kind when 'reserve' then t.house is null
          else a.kind = 'adjustments' and a.marketplace_id = t.marketplace and a.currency = t.currency end), false)
    into plain
    from (select distinct kind, house, marketplace, currency
      from unnest(p_kind, p_house, p_marketplace, p_currency) as t (kind, house, marketplace, currency)) t
    left join account a on a.id = t.house;
  end if;
  if plain and 'credit' = any (p_kind) then
    plain := p_default_limit is null and not exists (
      select from adjustment_limit where marketplace_id = any (p_marketplace) and limit_minor is not null);
  end if;
  if plain and keyed_count > 0 then
    plain := not exists (select from unnest(p_marketplace, p_idempotency) as t (marketplace, scope)
      join idempotency i on i.marketplace_id = t.marketplace and i.scope_hash = t.scope);
  end if;
  if plain and referenced_count > 0 then
    plain := not exists (select from unnest(p_marketplace, p_owner, p_reference) as t (marketplace, owner, reference)
        join entry_reference r on r.marketplace_id = t.marketplace and r.user_id = t.owner and r.reference = t.reference)
      and not exists (select from unnest(p_marketplace, p_owner, p_reference) as t (marketplace, owner, reference)
        where reference is not null group by marketplace, owner, reference having count(*) > 1);
  end if;

  if plain is not true then
    perform 1 from account where id = any (p_account) order by id for no key update;
    -- Where limits stand, credits take turns: in one order, so that two batches never cross.
    if 'credit' = any (p_kind) and (p_default_limit is not null or exists (
      select from adjustment_limit where marketplace_id = any (p_marketplace) and limit_minor is not null)) then
      perform pg_advisory_xact_lock(house)
      from (select distinct house from unnest(p_house) as t (house) where house is not null order by house) t;
    end if;
    for item in 1..item_count loop
      return next books.post_one(p_now, p_default_limit, item, p_kind[item], p_marketplace[item],
        p_account[item], p_house[item], p_amount[item], p_subject[item], p_actor[item],
        p_correlation[item], p_reference[item], p_note[item], p_idempotency[item], p_request[item],
        p_audit[item], p_reservation[item]);
    end loop;
    return;
  end if;

  -- Accounts before keys, here as in post_one, so that the two never wait for each other.
  with course as (
    select account as id, min(available) as low, max(available + reserved) as high,
      (array_agg(available order by item desc))[1] as available,
      (array_agg(reserved order by item desc))[1] as reserved, count(*) as entries
    from unnest(p_account, run_available, run_reserved) with ordinality as t (account, available, reserved, item)
    group by account order by account offset 0),
  touched as (
    update account a set available = a.available + t.available, reserved = a.reserved + t.reserved,
      version = a.version + t.entries, updated_at = p_now
    from course t
    where a.id = t.id and a.available + t.low >= 0
      and a.available + a.reserved + t.high <= 100000000000000000
    returning a.id, a.available - t.available as available, a.reserved - t.reserved as reserved,
      a.version - t.entries as version)
  select array_agg(available order by id), array_agg(reserved order by id),
    array_agg(version order by id) into base_available, base_reserved, base_version
  from touched;
  if cardinality(base_available) is distinct from cardinality(account_ids) then
    raise exception 'a balance left its bounds meanwhile' using errcode = 'HF001';
  end if;

  select array_agg(books.entry_id_floor(p_now) + (nextval('entry_number') & 4194303)) into ids
  from generate_series(1, item_count);
  if keyed_count > 0 then
    insert into idempotency (marketplace_id, scope_hash, request_hash, created_at, entry_id)
    select marketplace, scope, request, p_now, entry_id
    from unnest(p_marketplace, p_idempotency, p_request, ids) as t (marketplace, scope, request, entry_id)
    where scope is not null order by marketplace, scope
    on conflict do nothing;
    get diagnostics written = row_count;
    if written <> keyed_count then
      raise exception 'an idempotency key was claimed meanwhile' using errcode = 'HF001';
    end if;
  end if;
  if referenced_count > 0 then
    insert into entry_reference (marketplace_id, user_id, reference, request_hash, entry_id)
    select marketplace, owner, reference, request, entry_id
    from unnest(p_marketplace, p_owner, p_reference, p_request, ids) as t (marketplace, owner, reference, request, entry_id)
    where reference is not null order by marketplace, owner, reference
    on conflict do nothing;
    get diagnostics written = row_count;
    if written <> referenced_count then
      raise exception 'a reference was claimed meanwhile' using errcode = 'HF001';
    end if;
  end if;

  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  select t.marketplace, entry_id, kind, t.currency, amount,
    case kind when 'credit' then house else account end, 'available',
    case kind when 'debit' then house else account end,
    case kind when 'reserve' then 'reserved' else 'available' end,
    case when kind <> 'credit' then base_version[t.slot] + t.seq end,
    case when kind <> 'credit' then base_available[t.slot] + t.available end,
    case when kind <> 'credit' then base_reserved[t.slot] + t.reserved end,
    case when kind = 'credit' then base_version[t.slot] + t.seq end,
    case when kind = 'credit' then base_available[t.slot] + t.available end,
    case when kind = 'credit' then base_reserved[t.slot] + t.reserved end,
    subject, actor, correlation, reference, note, p_now
  from unnest(p_marketplace, ids, p_kind, p_currency, slot, p_amount, p_house, p_account, seq,
      run_available, run_reserved, p_subject, p_actor, p_correlation, p_reference, p_note)
    as t (marketplace, entry_id, kind, currency, slot, amount, house, account, seq, available,
      reserved, subject, actor, correlation, reference, note);

  insert into house_part (marketplace_id, account_id, delta)
  select marketplace, house, sum(case kind when 'credit' then -amount else amount end)
  from unnest(p_marketplace, p_house, p_kind, p_amount) as t (marketplace, house, kind, amount)
  where house is not null group by marketplace, house;
  if 'reserve' = any (p_kind) then
    insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
      entry_id, created_at)
    select marketplace, hold, account, 'manual', subject, amount, amount, entry_id, p_now
    from unnest(p_marketplace, p_reservation, p_account, p_subject, p_amount, ids, p_kind)
      as t (marketplace, hold, account, subject, amount, entry_id, kind)
    where kind = 'reserve';
  end if;
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  select marketplace, books.event_of(kind), owner, entry_id, audit_id, actor, correlation
  from unnest(p_marketplace, p_kind, p_owner, ids, p_audit, p_actor, p_correlation)
    as t (marketplace, kind, owner, entry_id, audit_id, actor, correlation);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id)
  select marketplace, audit_id, p_now, books.audit_action_of(kind), 'Balance', owner, 'API_KEY',
    actor, 'SUCCESS', note, correlation, entry_id
  from unnest(p_marketplace, p_audit, p_kind, p_owner, p_actor, p_note, p_correlation, ids)
    as t (marketplace, audit_id, kind, owner, actor, note, correlation, entry_id);

  return query
    select item::int, 'done', entry_id, base_available[t.slot] + t.available,
      base_reserved[t.slot] + t.reserved, null::text, null::bigint, null::text, null::uuid
    from unnest(ids, slot, run_available, run_reserved) with ordinality
      as t (entry_id, slot, available, reserved, item);
end $$;

-- What became of requests whose answer was lost with its connection: their audit ids were made by
-- the caller, so a committed one is found here. Refused ones left nothing and may be asked again.
create function books.find_posted(p_marketplace bigint[], p_audit text[]) returns setof books.outcome
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.item::int, 'done', e.id, coalesce(e.to_available, e.from_available),
    coalesce(e.to_reserved, e.from_reserved), null::text, null::bigint, null::text, null::uuid
  from unnest(p_marketplace, p_audit) with ordinality as t (marketplace, audit_id, item)
  join audit a on a.marketplace_id = t.marketplace and a.id = t.audit_id
  join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
$$;

-- Folds the parts of house accounts into one each. Deleting and adding happen in one transaction,
-- so a reader sees the parts or their sum, never both.
create function books.fold_house_parts(p_marketplace bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  folded bigint;
begin
  with taken as (
    delete from house_part where ctid = any (array(
      select ctid from house_part where marketplace_id = p_marketplace limit 20000))
    returning account_id, delta),
  kept as (
    insert into house_part (marketplace_id, account_id, delta)
    select p_marketplace, account_id, sum(delta) from taken group by account_id)
  select count(*) into folded from taken;
  return folded;
end $$;

-- Which marketplaces have parts worth folding.
create function books.unfolded_marketplaces(at_least int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select marketplace_id from house_part group by marketplace_id having count(*) >= at_least
$$;

-- Forgets idempotency keys past their time, a little at a time.
create function books.forget_idempotency(older_than timestamptz, at_most int) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten bigint;
begin
  delete from idempotency where ctid = any (array(
    select ctid from idempotency where created_at < older_than limit at_most));
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;

do $$
declare
  routine record;
begin
  for routine in select p.oid::regprocedure as signature from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'books'
  loop
    execute format('alter function %s owner to holdfast_books', routine.signature);
    execute format('revoke execute on function %s from public', routine.signature);
    execute format('grant execute on function %s to holdfast_app', routine.signature);
  end loop;
end $$;
-- Steps of the two entrances, not doors of their own.
revoke execute on function books.move from holdfast_app;
revoke execute on function books.use_manual_holds from holdfast_app;
revoke execute on function books.why_refused from holdfast_app;
revoke execute on function books.remember from holdfast_app;
-- Only the owner of the partitions computes their bounds.
grant execute on function books.entry_id_floor to public;
