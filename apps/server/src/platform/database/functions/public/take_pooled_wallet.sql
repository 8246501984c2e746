-- Takes a wallet out of the pool, inside the transaction of its user. By the index even where the
-- table is so small that a scan is cheaper: under serializable isolation a scan has read every
-- pooled wallet, and users created at the same time would collide.
create or replace function take_pooled_wallet(wallet_id text) returns setof pooled_wallet
language sql set enable_seqscan = off as $$
  delete from pooled_wallet where id = wallet_id returning *
$$;
revoke execute on function take_pooled_wallet from public;
grant execute on function take_pooled_wallet to holdfast_app;
