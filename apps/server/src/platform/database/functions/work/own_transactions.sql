-- Which of these transactions are ours. By the inner hash too: an outsider can wrap our signed
-- transaction in a fee bump.
create or replace function work.own_transactions(hashes text[]) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select hash from envelope where hash = any (hashes)
  union all select inner_hash from envelope where inner_hash = any (hashes)
$$;
alter function work.own_transactions owner to holdfast_operator;
revoke execute on function work.own_transactions from public;
grant execute on function work.own_transactions to holdfast_api, holdfast_worker;
