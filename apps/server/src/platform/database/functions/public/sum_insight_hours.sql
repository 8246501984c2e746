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
