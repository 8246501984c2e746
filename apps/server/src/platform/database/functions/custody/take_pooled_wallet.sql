-- Makes a pooled wallet the wallet of a user, inside the transaction of the user, and returns its
-- address; null when it is gone. The sealed seed goes from row to row: the API server, which calls
-- this, can neither read nor write one. By the index even where the table is so small that a scan
-- is cheaper: under serializable isolation a scan has read every pooled wallet, and users created
-- at the same time would collide.
create or replace function custody.take_pooled_wallet(p_now timestamptz, p_wallet text, p_user text)
returns text
language sql security definer set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off as $$
  with taken as (
    delete from pooled_wallet where id = p_wallet and status = 'READY'
    returning id, address, sealed_seed, wrapped_key, key_version, purpose)
  insert into wallet (marketplace_id, id, user_id, status, address, sealed_seed, wrapped_key,
    key_version, purpose, created_at, ready_at)
  select current_setting('app.marketplace_id')::bigint, id, p_user, 'READY', address, sealed_seed,
    wrapped_key, key_version, purpose, p_now, p_now from taken
  returning address
$$;
alter function custody.take_pooled_wallet owner to holdfast_custody;
revoke execute on function custody.take_pooled_wallet from public;
grant execute on function custody.take_pooled_wallet to holdfast_api;
