-- What credits, debits and holds change, request by request. Each figure counts from before the
-- batch, so that the lowest and the highest point of every account are known before it is touched.
create or replace function books.running_changes(p_requests books.posting_request[])
returns books.running_change[]
language plpgsql immutable as $$
begin
  return array(
    select row(account_rank, request_number, available_delta, reserved_delta)::books.running_change
    from (
      select ordinality,
        dense_rank() over (order by account_id)::int as account_rank,
        (row_number() over of_account)::int as request_number,
        (sum(case kind when 'credit' then amount else -amount end) over of_account)::bigint
          as available_delta,
        (sum(case kind when 'reserve' then amount else 0 end) over of_account)::bigint
          as reserved_delta
      from unnest(p_requests) with ordinality
      window of_account as (partition by account_id order by ordinality)) change
    order by ordinality);
end $$;
alter function books.running_changes owner to holdfast_books;
revoke execute on function books.running_changes from public;
