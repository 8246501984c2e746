-- Each request of a batch, decided in its order with all before it done.
create or replace function books.post_one_by_one(p_now timestamptz, p_adjustment_limit bigint,
  p_frozen bigint[], p_requests books.posting_request[])
returns setof books.outcome
language plpgsql as $$
begin
  perform 1 from account where id = any (array(select account_id from unnest(p_requests)))
  order by id for no key update;
  -- Where limits stand, credits take turns: in one order, so that two batches never cross.
  if books.has_adjustment_limit(p_adjustment_limit, p_requests) then
    perform pg_advisory_xact_lock(house_account_id) from (
      select distinct house_account_id from unnest(p_requests)
      where house_account_id is not null order by house_account_id) house;
  end if;
  for item in 1..cardinality(p_requests) loop
    return next books.post_one(p_now, p_adjustment_limit, p_frozen, item, p_requests[item]);
  end loop;
end $$;
alter function books.post_one_by_one owner to holdfast_books;
revoke execute on function books.post_one_by_one from public;
