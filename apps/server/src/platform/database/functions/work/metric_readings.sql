-- The state of all marketplaces together, for the metrics that one worker exposes. Each part reads
-- an index of open items only.
create or replace function work.metric_readings(at timestamptz)
returns table (metric text, labels jsonb, value double precision)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with opened as (
    select o.marketplace_id, o.id, o.kind, o.status from open_operation w
    join operation o on o.marketplace_id = w.marketplace_id and o.id = w.operation_id
  ), newest as (
    select taken_at, status, groups from solvency_reading order by id desc limit 1
  ), held as (
    select g ->> 'asset' as asset, g -> 'assets' as assets, g -> 'sums' as sums
    from newest, json_array_elements(newest.groups) as g
  )
  select 'holdfast_operations', jsonb_build_object('kind', kind, 'state', status), count(*)
    from opened group by kind, status
  union all
  select 'holdfast_operation_unknown_oldest_seconds', '{}',
    greatest(0, coalesce(extract(epoch from at - min(s.started_at)), 0))
    from opened o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
      and s.status = 'CLAIMED' and s.provider is not null
  union all
  select 'holdfast_inbox_oldest_seconds', '{}',
    greatest(0, coalesce(extract(epoch from at - min(received_at)), 0))
    from inbox where status = 'PENDING'
  union all
  select 'holdfast_exceptions_open', jsonb_build_object('cause', cause), count(*)
    from reconciliation_exception where status = 'OPEN' group by cause
  union all
  select 'holdfast_lineage_closed', jsonb_build_object('status', status),
    (lineage_status() = status)::int
    from unnest(array['PROMOTED', 'REWOUND', 'UNCHECKED']) as status
  union all
  select 'holdfast_solvency_breach', '{}', (status = 'BREACH')::int from newest
  union all
  select 'holdfast_solvency_taken_timestamp_seconds', '{}', extract(epoch from taken_at) from newest
  union all
  select 'holdfast_treasury_usdc', '{}', (assets ->> 'treasury')::numeric / 10000000
    from held where asset = 'USDC'
  union all
  select 'holdfast_treasury_xlm_spendable', '{}', (sums ->> 'spendable')::numeric / 10000000
    from held where asset = 'XLM' and sums ->> 'spendable' is not null
  union all
  select 'holdfast_provider_float_usd', '{}', (assets ->> 'paymentProvider')::numeric / 10000000
    from held where asset = 'USDC'
$$;
alter function work.metric_readings owner to holdfast_operator;
revoke execute on function work.metric_readings from public;
grant execute on function work.metric_readings to holdfast_worker;
