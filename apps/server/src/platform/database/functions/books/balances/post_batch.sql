-- Many balance requests in one commit. The course of each account is computed first; when every
-- floor and ceiling holds and no key was seen before, a few set-based statements do it all.
-- Otherwise post_one decides each request in order. Nothing is taken on trust: marketplace, owner
-- and currency of every request are compared with the account's own. One request's insufficient
-- funds never fails its neighbours.
create or replace function books.post_batch(p_now timestamptz, p_default_limit bigint,
  p_exact boolean, p_kind text[], p_marketplace bigint[], p_account bigint[], p_owner text[],
  p_currency text[], p_house bigint[], p_amount bigint[], p_subject text[], p_actor text[],
  p_correlation text[], p_reference text[], p_note text[], p_idempotency uuid[], p_request uuid[],
  p_audit text[], p_reservation text[])
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
  select marketplace, audit_id, p_now, books.audit_action_of(kind), 'Balance', owner, books.actor_type_of(actor),
    actor, 'SUCCESS', note, correlation, entry_id
  from unnest(p_marketplace, p_audit, p_kind, p_owner, p_actor, p_note, p_correlation, ids)
    as t (marketplace, audit_id, kind, owner, actor, note, correlation, entry_id);

  return query
    select item::int, 'done', entry_id, base_available[t.slot] + t.available,
      base_reserved[t.slot] + t.reserved, null::text, null::bigint, null::text, null::uuid
    from unnest(ids, slot, run_available, run_reserved) with ordinality
      as t (entry_id, slot, available, reserved, item);
end $$;
alter function books.post_batch owner to holdfast_books;
revoke execute on function books.post_batch from public;
grant execute on function books.post_batch to holdfast_app;
