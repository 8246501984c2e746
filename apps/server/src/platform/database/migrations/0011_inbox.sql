-- What providers tell us: stored before it is acknowledged, each event once and for ever, applied
-- afterwards. Nothing else is a queue for it; whatever dies, the row is tried again.
create table inbox (
  provider text not null,
  provider_event_id text collate "C" not null,
  -- Null until it is known whose it is: a provider names a contract or an order, not a marketplace.
  marketplace_id bigint,
  -- What it is about, once that is known: an order.
  resource_id text collate "C",
  event_type text not null,
  -- As it came, to the byte: what was signed.
  body text not null,
  received_at timestamptz not null,
  -- Of the request that brought it; what it changes is written under the same.
  correlation_id text not null,
  -- PENDING: tried again at its time. APPLIED: it changed something. SUPERSEDED: that was so already.
  -- PARKED: it fits nothing; an operator looks.
  status text not null,
  attempts int not null,
  next_try_at timestamptz not null,
  applied_at timestamptz,
  last_error text,
  -- How often the same event id came with another body. The first one counts.
  contradictions int not null default 0,
  -- Not led by the marketplace: an event is one at its provider, whosever it turns out to be.
  constraint inbox_pkey primary key (provider, provider_event_id),
  constraint inbox_provider_check check (provider in ('escrow-provider', 'payment-provider')),
  constraint inbox_status_check check (status in ('PENDING', 'APPLIED', 'SUPERSEDED', 'PARKED')),
  constraint inbox_owner_check check ((marketplace_id is null) = (resource_id is null)),
  constraint inbox_applied_check check ((status in ('APPLIED', 'SUPERSEDED')) = (applied_at is not null)),
  constraint inbox_ended_check check (applied_at is null or marketplace_id is not null),
  constraint inbox_attempts_check check (attempts >= 0 and contradictions >= 0)
) with (fillfactor = 70);
create index inbox_pending_idx on inbox (next_try_at) where status = 'PENDING';
create index inbox_resource_idx on inbox (resource_id, received_at);
call guard_tenant_table('inbox');
-- What belongs to nobody yet is the service's own, in whichever transaction; from then on it is its
-- marketplace's, and never changes hands.
create policy unmatched on inbox to holdfast_app
  using (marketplace_id is null) with check (marketplace_id is null);
grant select, insert on inbox to holdfast_app;
grant update (marketplace_id, resource_id, status, attempts, next_try_at, applied_at, last_error)
  on inbox to holdfast_app;
create policy operator on inbox to holdfast_operator using (true) with check (true);
grant select, update (contradictions) on inbox to holdfast_operator;

-- Events that wait for a try: where to look, over all marketplaces and what has none yet.
create function work.provider_events_due(at_most int, due_at timestamptz)
returns table (marketplace_id bigint, provider text, provider_event_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.marketplace_id, i.provider, i.provider_event_id from inbox i
  where i.status = 'PENDING' and i.next_try_at <= due_at order by i.next_try_at limit at_most
$$;

-- Whose an event is that came before, and whether it says the same now.
create function work.repeated_event(wanted_provider text, wanted_event text, sent_body text)
returns table (marketplace_id bigint, is_same boolean)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.marketplace_id, i.body = sent_body from inbox i
    where i.provider = wanted_provider and i.provider_event_id = wanted_event;
  update inbox i set contradictions = i.contradictions + 1
  where i.provider = wanted_provider and i.provider_event_id = wanted_event and i.body <> sent_body;
end $$;

-- Whose a contract is, or an order: all that a provider can name.
create policy operator on contract for select to holdfast_operator using (true);
create policy operator on escrow for select to holdfast_operator using (true);
create policy operator on orders for select to holdfast_operator using (true);
grant select on contract to holdfast_operator;
grant select (marketplace_id, id, order_id) on escrow to holdfast_operator;
grant select (marketplace_id, id) on orders to holdfast_operator;
create function work.order_of_contract(wanted_contract text)
returns table (marketplace_id bigint, order_id text, escrow_id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.marketplace_id, e.order_id, e.id from contract c
  join escrow e on e.marketplace_id = c.marketplace_id and e.id = c.escrow_id
  where c.provider_contract_id = wanted_contract
$$;
create function work.marketplace_of_order(wanted_order text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  -- By the key of orders, once for each marketplace: an index by id alone would be one more for
  -- serializable transactions to collide in, and only a contract that is being deployed asks.
  select m.id from marketplace m
  where exists (select from orders o where o.marketplace_id = m.id and o.id = wanted_order)
$$;

do $$
declare
  routine text;
begin
  foreach routine in array array['work.provider_events_due(int, timestamptz)',
    'work.repeated_event(text, text, text)', 'work.order_of_contract(text)',
    'work.marketplace_of_order(text)']
  loop
    execute format('alter function %s owner to holdfast_operator', routine);
    execute format('revoke execute on function %s from public', routine);
    execute format('grant execute on function %s to holdfast_app', routine);
  end loop;
end $$;

-- What a timeline looks for: everything of one order. Only readers use these, and none of them is
-- led by the marketplace, so that no serializable transaction is led into them.
create index operation_resource_idx on operation (resource_id, id);
create index entry_subject_idx on entry (subject_id, id) where subject_id is not null;
