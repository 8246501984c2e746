-- A stretch of an account's history, for statements. Entries never change and an account numbers
-- its own, so a stretch is the same whenever it is read: no transaction stays open while a client
-- reads slowly.
create or replace function account_history(p_account bigint, p_first bigint, p_last bigint,
  p_count int)
returns table (seq bigint, entry_id bigint, kind text, subject_id text, reference text, note text,
  created_at timestamptz, available_change bigint, reserved_change bigint,
  available bigint, reserved bigint)
language sql stable as $$
  select * from (
    (select e.from_seq, e.id, e.kind, e.subject_id, e.reference, e.note, e.created_at,
      case e.from_bucket when 'available' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'available' then e.amount else 0 end,
      case e.from_bucket when 'reserved' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'reserved' then e.amount else 0 end,
      e.from_available, e.from_reserved
    from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.from_account = p_account and e.from_seq between p_first and p_last
    order by e.from_seq limit p_count)
    union all
    (select e.to_seq, e.id, e.kind, e.subject_id, e.reference, e.note, e.created_at,
      case e.to_bucket when 'available' then e.amount else 0 end,
      case e.to_bucket when 'reserved' then e.amount else 0 end,
      e.to_available, e.to_reserved
    from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.to_account = p_account and e.to_seq between p_first and p_last
    order by e.to_seq limit p_count)
  ) as legs (seq, entry_id, kind, subject_id, reference, note, created_at, available_change,
    reserved_change, available, reserved)
  order by seq limit p_count
$$;
revoke execute on function account_history from public;
grant execute on function account_history to holdfast_api;
