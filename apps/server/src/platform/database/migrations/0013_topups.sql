-- Top-ups: money that comes in through the payment provider. What was asked for is written once; the
-- service may change only how far it has come, and what the provider says has come in.
--
-- As with orders, nothing that a move changes stands in an index. Whose a pay-in is and when to look
-- at it next have tables of their own.
create table topup (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  user_id text collate "C" not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  description text,
  return_url text,
  cancel_url text,
  metadata json not null,
  -- Known once the provider has made the pay-in, whose code is our id.
  provider_payin_id text collate "C",
  confirmation_uri text,
  failure_reason text,
  error_code text,
  -- What the provider says has come in, and since when it says so. Null: nothing was said.
  received bigint,
  received_currency text,
  received_at timestamptz,
  -- What the books have made of it: the user has it, or it waits in suspense for an operator. Below
  -- zero: the user has what never came. Only the doors below write these.
  credited bigint not null default 0,
  suspended bigint not null default 0,
  suspended_currency text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (marketplace_id, id),
  constraint topup_amount_check check (amount > 0),
  -- The payment provider carries dollars, which back both.
  constraint topup_currency_check check (currency in ('USD', 'USDC')),
  constraint topup_status_check check (status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION',
    'TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED')),
  constraint topup_page_check check (status <> 'TOPUP_AWAITING_USER_CONFIRMATION'
    or (provider_payin_id is not null and confirmation_uri is not null)),
  constraint topup_failure_check check ((status = 'TOPUP_FAILED') = (failure_reason is not null)),
  constraint topup_received_check check (
    num_nonnulls(received, received_currency, received_at) in (0, 3) and received >= 0),
  constraint topup_credited_check check (credited in (0, amount)
    and (credited = 0 or status = 'TOPUP_SUCCEEDED')),
  constraint topup_suspended_check check (suspended = 0 or suspended_currency is not null)
) with (fillfactor = 60);
create index topup_user_idx on topup (user_id, id);
call guard_tenant_table('topup');
create policy books on topup to holdfast_books using (true) with check (true);
grant select, insert on topup to holdfast_app;
grant update (status, provider_payin_id, confirmation_uri, failure_reason, error_code, received,
  received_currency, received_at, updated_at) on topup to holdfast_app;
grant select, update (credited, suspended, suspended_currency) on topup to holdfast_books;

-- Whose a pay-in is, by each of its two names: our id, and the provider's.
create table payin_name (
  name text collate "C" not null,
  marketplace_id bigint not null,
  topup_id text collate "C" not null,
  -- Not led by the marketplace: the provider names a pay-in, whosever it is.
  constraint payin_name_pkey primary key (name)
);
call guard_tenant_table('payin_name');
grant select, insert on payin_name to holdfast_app;

-- Top-ups whose end is not known yet, or not confirmed by a look: each with the time of its next one.
create table topup_look (
  marketplace_id bigint not null,
  topup_id text collate "C" not null,
  -- When it last came on: the longer ago, the rarer the looks.
  since timestamptz not null,
  next_look_at timestamptz not null,
  -- When somebody who proved nothing last asked for a look.
  hastened_at timestamptz,
  primary key (marketplace_id, topup_id)
) with (fillfactor = 60);
create index topup_look_next_idx on topup_look (next_look_at);
call guard_tenant_table('topup_look');
grant select, insert, update, delete on topup_look to holdfast_app;

create policy operator on payin_name for select to holdfast_operator using (true);
create policy operator on topup_look for select to holdfast_operator using (true);
grant select on payin_name, topup_look to holdfast_operator;
create function work.topup_of_payin(wanted_name text)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select p.marketplace_id, p.topup_id from payin_name p where p.name = wanted_name
$$;
-- Where to look, over all marketplaces.
create function work.topups_due(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, topup_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.marketplace_id, l.topup_id from topup_look l
  where l.next_look_at <= due_at order by l.next_look_at limit at_most
$$;
do $$
declare
  routine text;
begin
  foreach routine in array array['work.topup_of_payin(text)', 'work.topups_due(int, timestamptz)']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;

-- The doors. Amount and user come from the top-up itself, and the marketplace is the one that the
-- transaction is bound to: a caller names nothing but the top-up.
create function books.lock_topup(p_topup text) returns topup
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  locked topup;
begin
  select * into locked from topup
  where marketplace_id = current_setting('app.marketplace_id')::bigint and id = p_topup
  for no key update;
  if not found then raise exception 'top-up % is not of this marketplace', p_topup; end if;
  return locked;
end $$;

-- Gives the user what came in, once. Answers what is available then.
create function books.credit_topup(p_now timestamptz, p_topup text, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked topup := books.lock_topup(p_topup);
  clearing bigint;
  payee account;
  made entry;
begin
  if asked.status <> 'TOPUP_SUCCEEDED' or asked.credited <> 0 then
    raise exception 'top-up % is %, with % credited', p_topup, asked.status, asked.credited;
  end if;
  clearing := books.house_account(p_now, 'payment_clearing', asked.currency);
  payee := books.lock_user_account(p_now, asked.user_id, asked.currency);
  made := books.move(p_now, asked.marketplace_id, 'topup', clearing, 'available',
    payee.id, 'available', asked.amount, asked.id, p_actor, p_correlation, null, null);
  update topup set credited = amount where marketplace_id = asked.marketplace_id and id = asked.id;
  perform books.tell_balance('balance.credited', asked.user_id, made);
  return made.to_available;
end $$;

-- One move between what the provider holds for us and suspense; below zero, back.
create function books.move_topup_suspense(p_now timestamptz, p_marketplace bigint, p_topup text,
  p_currency text, p_amount bigint, p_actor text, p_correlation text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  clearing bigint := books.house_account(p_now, 'payment_clearing', p_currency);
  suspense bigint := books.house_account(p_now, 'suspense', p_currency);
begin
  if p_amount > 0 then
    perform books.move(p_now, p_marketplace, 'topup_suspense', clearing, 'available',
      suspense, 'available', p_amount, p_topup, p_actor, p_correlation, null, null);
  elsif p_amount < 0 then
    perform books.move(p_now, p_marketplace, 'topup_suspense_return', suspense, 'available',
      clearing, 'available', -p_amount, p_topup, p_actor, p_correlation, null, null);
  end if;
end $$;

-- Brings to suspense whatever lies between what came in and what the user has. Answers what is there.
create function books.suspend_topup(p_now timestamptz, p_topup text, p_actor text, p_correlation text)
returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  asked topup := books.lock_topup(p_topup);
  is_same constant boolean := asked.received_currency = asked.currency;
  target constant bigint := asked.received - case when is_same then asked.credited else 0 end;
begin
  if asked.received is null or (not is_same and asked.credited > 0) then
    raise exception 'top-up % has nothing to suspend', p_topup;
  end if;
  if asked.suspended_currency <> asked.received_currency then
    perform books.move_topup_suspense(p_now, asked.marketplace_id, asked.id, asked.suspended_currency,
      -asked.suspended, p_actor, p_correlation);
    asked.suspended := 0;
  end if;
  perform books.move_topup_suspense(p_now, asked.marketplace_id, asked.id, asked.received_currency,
    target - asked.suspended, p_actor, p_correlation);
  update topup set suspended = target, suspended_currency = asked.received_currency
  where marketplace_id = asked.marketplace_id and id = asked.id;
  return target;
end $$;

call books.seal_doors(array['lock_topup', 'move_topup_suspense']);
