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
