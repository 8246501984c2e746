-- The mirror: addresses on the network follow the books. What a user's books say, and the dust of
-- its wallet, is what the address should hold; the treasury sends what is missing and takes back
-- what is too much.

-- What is known to be at an address. USD and USDC are both backed by USDC, XLM by itself.
create table wallet_mirror (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  asset text not null,
  -- Ours at the address, as last known: what we sent, what our contracts paid, and deposits that
  -- are credited. A deposit that is not credited yet is none of it.
  stroops bigint not null default 0,
  -- Deposited, but too little for the books to count.
  dust_stroops bigint not null default 0,
  -- The sum of all payments of the address up to a place in their list. The rest is added up again
  -- at every look that needs it, since a deposit in it may have been credited meanwhile.
  counted_stroops bigint not null default 0,
  counted_cursor text collate "C",
  -- What no payment explains, as last noted: more than there should be, or less.
  unexplained_stroops bigint not null default 0,
  -- The last payment out of the address that nobody here has signed for.
  noted_cursor text collate "C",
  updated_at timestamptz not null,
  primary key (marketplace_id, user_id, asset),
  constraint wallet_mirror_asset_check check (asset in ('USDC', 'XLM')),
  constraint wallet_mirror_dust_check check (dust_stroops >= 0)
) with (fillfactor = 70);
call guard_tenant_table('wallet_mirror');
grant select, insert, update on wallet_mirror to holdfast_app;

-- Whose address has to be looked at. Only ever added to by those who change something, so that
-- nobody waits for anybody's row; the mirror takes away what it has seen.
create table mirror_due (
  marketplace_id bigint not null,
  id bigint generated always as identity,
  user_id text collate "C" not null,
  -- Something moved on the network, not only in the books.
  has_moved boolean not null,
  made_at timestamptz not null,
  primary key (marketplace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index mirror_due_user_idx on mirror_due (marketplace_id, user_id);
call guard_tenant_table('mirror_due');
grant select, insert, delete on mirror_due to holdfast_app;

-- Who is not to be looked at before a time, and why.
create table mirror_wait (
  marketplace_id bigint not null,
  user_id text collate "C" not null,
  -- NETWORK: it did not answer. DIFFERENCE: it told what nobody can explain, and may have been behind.
  -- MOVING: an order or a withdrawal of the user's is under way. SHARE: the funded share is used up.
  -- TREASURY: so is the treasury. ESCALATED: the transfer failed.
  reason text not null,
  attempts int not null,
  next_look_at timestamptz not null,
  primary key (marketplace_id, user_id),
  constraint mirror_wait_reason_check
    check (reason in ('NETWORK', 'DIFFERENCE', 'MOVING', 'SHARE', 'TREASURY', 'ESCALATED')),
  constraint mirror_wait_attempts_check check (attempts > 0)
) with (fillfactor = 70);
call guard_tenant_table('mirror_wait');
create policy operator on mirror_wait to holdfast_operator using (true) with check (true);
grant select, insert, update, delete on mirror_wait to holdfast_app;
grant select, delete on mirror_wait to holdfast_operator;

-- How far a marketplace's log has been followed.
create table mirror_cursor (
  marketplace_id bigint primary key,
  position bigint not null,
  occurred_at timestamptz not null
) with (fillfactor = 50);
call guard_tenant_table('mirror_cursor');
grant select, insert, update on mirror_cursor to holdfast_app;

-- Transfers that share a transaction, written down before anything is signed. A batch that failed is
-- halved, until what can't be done stands alone.
create table mirror_batch (
  marketplace_id bigint not null references marketplace (id),
  id text collate "C" not null,
  status text not null,
  attempts int not null default 0,
  next_try_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (marketplace_id, id),
  constraint mirror_batch_status_check check (status in ('OPEN', 'APPLIED', 'FAILED')),
  constraint mirror_batch_ended_check check ((status = 'OPEN') = (ended_at is null))
) with (fillfactor = 70);
-- Not led by the marketplace: whoever goes on with them looks over all.
create index mirror_batch_open_idx on mirror_batch (next_try_at) where status = 'OPEN';
call guard_tenant_table('mirror_batch');
grant select, insert on mirror_batch to holdfast_app;
grant update (status, attempts, next_try_at, ended_at) on mirror_batch to holdfast_app;

create table mirror_item (
  marketplace_id bigint not null,
  batch_id text collate "C" not null,
  user_id text collate "C" not null,
  asset text not null,
  address text collate "C" not null,
  -- To the address; negative from it to the treasury.
  stroops bigint not null,
  status text not null,
  primary key (marketplace_id, batch_id, user_id, asset),
  constraint mirror_item_asset_check check (asset in ('USDC', 'XLM')),
  constraint mirror_item_stroops_check check (stroops <> 0),
  constraint mirror_item_status_check check (status in ('OPEN', 'APPLIED', 'FAILED'))
) with (fillfactor = 70);
-- A user is in one open batch at a time.
create unique index mirror_item_open_key on mirror_item (marketplace_id, user_id, asset)
  where status = 'OPEN';
-- Not led by the marketplace: an address is one on the whole network.
create index mirror_item_address_idx on mirror_item (address) where status = 'OPEN';
call guard_tenant_table('mirror_item');
grant select, insert on mirror_item to holdfast_app;
grant update (status) on mirror_item to holdfast_app;

-- How much of the treasury a marketplace's addresses may hold, and how much they do, net of what came
-- back.
create table treasury_share (
  marketplace_id bigint not null references marketplace (id),
  asset text not null,
  -- Null: no limit. Counts once it was set; until then the setting's default holds.
  funded_stroops bigint,
  set_at timestamptz,
  drawn_stroops bigint not null default 0,
  -- Since when it is used up and somebody waits.
  raised_at timestamptz,
  primary key (marketplace_id, asset),
  constraint treasury_share_asset_check check (asset in ('USDC', 'XLM')),
  constraint treasury_share_funded_check check (funded_stroops >= 0),
  constraint treasury_share_set_check check (set_at is not null or funded_stroops is null)
) with (fillfactor = 50);
call guard_tenant_table('treasury_share');
create policy operator on treasury_share to holdfast_operator using (true) with check (true);
grant select, insert on treasury_share to holdfast_app;
grant update (drawn_stroops, raised_at) on treasury_share to holdfast_app;
grant select, insert, update on treasury_share to holdfast_operator;

-- What was drawn outside of batches, each under the purpose of its envelope, once.
create table treasury_draw (
  marketplace_id bigint not null,
  purpose text collate "C" not null,
  asset text not null,
  stroops bigint not null,
  primary key (marketplace_id, purpose),
  constraint treasury_draw_asset_check check (asset in ('USDC', 'XLM')),
  constraint treasury_draw_stroops_check check (stroops > 0)
);
call guard_tenant_table('treasury_draw');
grant select, insert, delete on treasury_draw to holdfast_app;

-- A payment names its transaction; one whose fee another wallet pays has two hashes.
create index envelope_inner_hash_idx on envelope (inner_hash) where inner_hash is not null;

-- Work that waits, over all marketplaces: where to look, never what is there.
create policy operator on mirror_due for select to holdfast_operator using (true);
create policy operator on mirror_cursor for select to holdfast_operator using (true);
create policy operator on mirror_batch for select to holdfast_operator using (true);
create policy operator on mirror_item for select to holdfast_operator using (true);
grant select on mirror_due, mirror_cursor, mirror_batch, mirror_item to holdfast_operator;

-- Marketplaces whose log goes on behind where it was followed to.
create function work.logs_to_mirror(at_most int) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id from event_head h
  left join mirror_cursor c on c.marketplace_id = h.marketplace_id
  where h.position > coalesce(c.position, 0) order by h.position - coalesce(c.position, 0) limit at_most
$$;

-- Marketplaces with somebody who is due. From one to the next by the index, however many are due.
create function work.mirrors_due(due_at timestamptz) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive market (id) as (
    select min(d.marketplace_id) from mirror_due d
    union all
    select (select min(d.marketplace_id) from mirror_due d where d.marketplace_id > market.id)
    from market where market.id is not null)
  select market.id from market
  where market.id is not null and exists (
    select from mirror_due d
    where d.marketplace_id = market.id and not exists (
      select from mirror_wait w where w.marketplace_id = d.marketplace_id
        and w.user_id = d.user_id and w.next_look_at > due_at))
$$;

create function work.mirror_batches_open(due_at timestamptz, at_most int)
returns table (marketplace_id bigint, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select b.marketplace_id, b.id from mirror_batch b
  where b.status = 'OPEN' and b.next_try_at <= due_at order by b.next_try_at limit at_most
$$;

-- Which of these addresses take part in a transaction whose fate is open: as its source, or in a
-- batch of the mirror.
create function work.busy_addresses(addresses text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(addresses) as wanted
  where exists (select from envelope e where e.source = wanted and e.state = 'OPEN')
    or exists (select from mirror_item i where i.address = wanted and i.status = 'OPEN')
$$;

-- As before, and the mirror's batches too: their source is a channel, yet they move what is there.
create or replace function work.has_open_envelope(wanted_source text, own_purpose text)
returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
      select from envelope where source = wanted_source and state = 'OPEN' and purpose <> own_purpose)
    or exists (select from mirror_item i where i.address = wanted_source and i.status = 'OPEN')
$$;

do $$
declare
  routine text;
begin
  foreach routine in array array['work.logs_to_mirror(int)', 'work.mirrors_due(timestamptz)',
    'work.mirror_batches_open(timestamptz, int)', 'work.busy_addresses(text[])']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;
