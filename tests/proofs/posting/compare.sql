-- Random batches, each posted together and one by one from the same books: outcomes and rows must be
-- the same. All of it in the database, so that a batch costs no round trip.

create schema posting_test;

-- What a batch may name: users' accounts in two marketplaces and two currencies, few enough that
-- requests meet. One is not a user's, and one does not exist.
create table posting_test.account_choice (
  number int primary key,
  account_id bigint not null,
  marketplace_id bigint not null,
  owner_id text not null,
  currency text not null,
  house_account_id bigint
);

create table posting_test.difference (
  batch bigint not null,
  requests books.posting_request[] not null,
  together text not null,
  one_by_one text not null
);

-- One of these, at random.
create function posting_test.one_of(choices anyarray) returns anyelement
language sql volatile as $$
  select choices[1 + floor(random() * cardinality(choices))::int]
$$;

create procedure posting_test.open_books() language plpgsql as $$
declare
  month regclass;
begin
  -- One partition holds all: a statement opens each that there is.
  for month in select inhrelid from pg_inherits
    where inhparent in ('entry'::regclass, 'audit'::regclass)
      and inhrelid not in ('entry_default'::regclass, 'audit_default'::regclass)
  loop
    execute format('drop table %s', month);
  end loop;
  insert into marketplace (public_id, name, created_at)
  select 'mkt_' || number, 'm', now() from generate_series(1, 2) number;
  insert into users (marketplace_id, id, external_user_id, type, status, deposit_currency,
    created_at, updated_at)
  select m.id, 'usr_' || m.id || number, number, 'BOTH', 'ACTIVE', 'USD', now(), now()
  from marketplace m, generate_series(1, 2) number;
  perform books.open_account(m.id, 'adjustments', '', currency, now())
  from marketplace m, unnest(array['USD', 'XLM']) currency;
  perform books.open_account(u.marketplace_id, 'user', u.id, currency, now())
  from users u, unnest(array['USD', 'XLM']) currency;
  perform books.open_account(min(id), 'escrow', 'ord_1', 'USD', now()) from marketplace;
  insert into posting_test.account_choice
  select row_number() over (order by a.kind = 'escrow', a.id), a.id, a.marketplace_id, a.owner_id,
    a.currency, h.id
  from account a join account h on h.kind = 'adjustments' and h.marketplace_id = a.marketplace_id
    and h.currency = a.currency
  where a.owner_id <> '';
  insert into posting_test.account_choice values (10, 999999, 1, 'usr_nobody', 'USD', 1);
end $$;

-- Empty books with balances that lie near their bounds, a limit in some of them, and liens: on a part
-- of the money or on all of it.
create procedure posting_test.start_over() language plpgsql as $$
declare
  chosen record;
begin
  -- Not truncated: every plan would be made anew.
  delete from entry;
  delete from house_delta;
  delete from reservation;
  delete from lien;
  delete from entry_reference;
  delete from idempotency;
  delete from outbox;
  delete from audit;
  delete from adjustment_limit;
  -- In one order, so that a seed gives the same books each time.
  for chosen in select id, kind from account where owner_id <> '' order by id loop
    update account set version = 0, unconfirmed = 0, reserved = posting_test.one_of(array[0, 0, 3]),
      available = posting_test.one_of(array[0, 1, 4, 30, 1000, books.balance_ceiling() - 3,
        books.balance_ceiling() - 9, books.balance_ceiling() - 1000])
    where id = chosen.id;
    update account set unconfirmed = greatest(0,
      available - posting_test.one_of(array[available, available, 0, 2, 9, 1000]))
    where id = chosen.id and chosen.kind = 'user';
  end loop;
  insert into lien (marketplace_id, subject_id, account_id, amount, opened_at)
  select marketplace_id, 'topup_' || id, id, unconfirmed, now() from account where unconfirmed > 0;
  insert into reservation (marketplace_id, id, account_id, owner, subject_id, amount, remaining,
    entry_id, created_at)
  select marketplace_id, 'rsv_' || id, id, owner,
    case owner when 'manual' then 'ord_1' else 'wd_' || id end, 3, 3, 1, now()
  from (select *, posting_test.one_of(array['manual', 'withdrawal']) as owner from account
    where reserved > 0 order by id offset 0) held;
  insert into adjustment_limit (marketplace_id, currency, limit_minor, set_at)
  select id, posting_test.one_of(array['USD', 'XLM']), posting_test.one_of(array[null, 5, 2000]), now()
  from marketplace where random() < 0.15 order by id;
end $$;

-- A batch of up to eight requests. Keys and references come from a small range, so that some of them
-- come again; one request in forty is wrong about its account.
create function posting_test.make_batch(batch bigint) returns books.posting_request[]
language plpgsql volatile as $$
declare
  size constant int := ceil(8 * random() * random());
  accounts constant int := posting_test.one_of(array[1, 2, 8, 8]);
  is_hard constant boolean := random() < 0.15;
  has_keys constant boolean := random() < 0.5;
  has_references constant boolean := random() < 0.3;
begin
  return array(
    select row(kind, chosen.marketplace_id, chosen.account_id, chosen.owner_id, chosen.currency,
      case when kind in ('credit', 'debit', 'spend') then chosen.house_account_id end,
      case when kind = 'cancel' then 0 else amount end, subject,
      posting_test.one_of(array['key_1', 'opr_1', 'system']), 'req_' || batch || '-' || item, reference,
      posting_test.one_of(array[null, 'why']), scope, request_hash,
      'aud_' || lpad(batch::text, 22, '0') || item,
      case kind when 'reserve' then 'rsv_' || lpad(batch::text, 22, '0') || item end,
      case item % 3 when 1 then '192.0.2.' || item end, case item % 3 when 2 then 'curl/' || item end
    )::books.posting_request
    from (
      select item,
        case when is_hard then posting_test.one_of(array['credit', 'debit', 'reserve', 'unreserve',
          'spend', 'cancel']) else posting_test.one_of(array['credit', 'credit', 'debit', 'reserve'])
          end as kind,
        case when random() < 0.01 then posting_test.one_of(array[9, 10])
          else ceil(accounts * random())::int end as number,
        posting_test.one_of(array[1, 1, 2, 3, 4, 9, 1000])::bigint as amount,
        posting_test.one_of(array[null, 'ord_1']) as subject,
        case when has_keys then md5('key' || posting_test.recent(batch, 20))::uuid end as scope,
        case when has_references then 'ref-' || posting_test.recent(batch, 10) end as reference,
        md5('body' || posting_test.one_of(array[1, 2]))::uuid as request_hash
      from generate_series(1, size) item) wanted
    cross join lateral posting_test.choose(wanted.number) chosen
    order by item);
end $$;

-- A number that hardly any batch before this one has used, or one that many use.
create function posting_test.recent(batch bigint, few int) returns text
language sql volatile as $$
  select case when random() < 0.03 then floor(few * random())::text
    else batch || '-' || floor(1000 * random()) end
$$;

-- An account with all that a request says about it, one thing of it wrong now and then.
create function posting_test.choose(wanted int) returns posting_test.account_choice
language plpgsql volatile as $$
declare
  chosen posting_test.account_choice;
begin
  select * into chosen from posting_test.account_choice where number = wanted;
  if random() < 0.975 then return chosen; end if;
  case floor(5 * random())
    when 0 then chosen.marketplace_id := 3 - chosen.marketplace_id;
    when 1 then chosen.owner_id := posting_test.one_of(array[null, 'usr_11', 'usr_22']);
    when 2 then chosen.currency := posting_test.one_of(array[null, 'USD', 'XLM']);
    when 3 then chosen.house_account_id := posting_test.one_of(array[null, 1, 2, 3, 4, 5]);
    else chosen.account_id := posting_test.one_of(array[1, 5, 6, 7]);
  end case;
  return chosen;
end $$;

-- The rows of a batch, and all that it may have changed.
create function posting_test.rows_of(at timestamptz, first_audit text, before_outbox bigint)
returns text
language plpgsql volatile as $$
declare
  first_entry constant bigint := books.entry_id_floor(at);
begin
  return concat_ws(E'\n',
    (select string_agg(a::text, E'\n' order by id) from account a),
    (select string_agg(e::text, E'\n' order by id) from entry e
      where marketplace_id in (1, 2) and id >= first_entry),
    (select string_agg(account_id || ' ' || total, E'\n' order by account_id) from (
      select account_id, sum(delta) as total from house_delta group by account_id) h),
    (select string_agg(r::text, E'\n' order by marketplace_id, id) from reservation r
      where marketplace_id in (1, 2) and remaining > 0),
    (select string_agg(r::text, E'\n' order by marketplace_id, user_id, reference)
      from entry_reference r where entry_id >= first_entry),
    (select string_agg(i::text, E'\n' order by marketplace_id, scope_hash) from idempotency i
      where created_at = at),
    (select string_agg(o::text, E'\n' order by id) from outbox o where id > before_outbox),
    (select string_agg(u::text, E'\n' order by marketplace_id, id) from audit u
      where marketplace_id in (1, 2) and id >= first_audit));
end $$;

-- Posts a batch and returns its outcomes and, to compare them, its rows; or its error. Together it is
-- undone afterwards, one by one it stays. Ids start at the same number each time.
create function posting_test.post(requests books.posting_request[], at timestamptz, number bigint,
  credit_limit bigint, is_exact boolean, is_compared boolean) returns text
language plpgsql volatile as $$
declare
  result text;
begin
  perform setval('entry_number', number), setval('outbox_id_seq', number);
  begin
    result := (select string_agg(o::text, E'\n' order by item)
      from books.post_batch(at, credit_limit, is_exact, requests) o);
    if is_compared then
      result := concat_ws(E'\n', result, posting_test.rows_of(at, requests[1].audit_id, number));
    end if;
    if not is_exact then raise exception 'undone' using errcode = 'HF999'; end if;
  exception
    when sqlstate 'HF999' then null;
    when others then result := sqlstate || ' ' || sqlerrm;
  end;
  return result;
end $$;

-- As the posting functions run: a plan made for another role would be made anew each time.
create function posting_test.can_post_together(credit_limit bigint,
  requests books.posting_request[]) returns boolean
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  return books.plan_together(credit_limit, requests) is not null;
end $$;
grant usage on schema posting_test to holdfast_books;
grant create on schema posting_test to holdfast_books;
alter function posting_test.can_post_together owner to holdfast_books;

-- Posts each batch together, takes that back, and posts it one by one. Returns how many batches
-- could be posted together, and how many had to start over because a key comes twice in them.
-- A batch that can't be posted together takes the same path both times: one in ten of those is
-- posted twice, the others once, so that the books change.
create procedure posting_test.compare_batches(first bigint, batches int, seed double precision,
  inout posted_together int default 0, inout started_over int default 0)
language plpgsql as $$
declare
  requests books.posting_request[];
  at timestamptz;
  credit_limit bigint;
  is_plan boolean;
  is_compared boolean;
  together text;
  one_by_one text;
begin
  perform setseed(seed);
  call posting_test.start_over();
  for batch in first .. first + batches - 1 loop
    requests := posting_test.make_batch(batch);
    -- A millisecond of its own for each batch, so that its ids are its own.
    at := timestamptz '2026-01-01 00:00:00Z' + batch * interval '1 millisecond';
    credit_limit := case when random() < 0.05 then posting_test.one_of(array[0, 4, 1000]) end;
    is_plan := posting_test.can_post_together(credit_limit, requests);
    is_compared := is_plan or random() < 0.1;
    together := case when is_compared then
      posting_test.post(requests, at, batch * 8, credit_limit, false, true) end;
    one_by_one := posting_test.post(requests, at, batch * 8, credit_limit, true, is_compared);
    if is_plan then posted_together := posted_together + 1; end if;
    if together like 'HF001%' and posting_test.repeats_key(requests) then
      started_over := started_over + 1;
    elsif together is not null and together <> one_by_one then
      insert into posting_test.difference values (batch, requests, together, one_by_one);
    end if;
    -- Else every account would trail the versions of all batches before.
    commit;
  end loop;
end $$;

create function posting_test.repeats_key(requests books.posting_request[]) returns boolean
language sql immutable as $$
  select exists (select from unnest(requests) where scope_hash is not null
    group by marketplace_id, scope_hash having count(*) > 1)
$$;
