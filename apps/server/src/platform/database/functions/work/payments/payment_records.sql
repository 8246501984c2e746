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
