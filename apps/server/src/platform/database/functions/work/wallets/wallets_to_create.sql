-- Wallets that are not ready, oldest first.
create or replace function work.wallets_to_create(at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, id text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select w.marketplace_id, m.public_id, w.id
  from wallet w join marketplace m on m.id = w.marketplace_id
  where w.status <> 'READY' order by w.created_at limit at_most
$$;
alter function work.wallets_to_create owner to holdfast_operator;
revoke execute on function work.wallets_to_create from public;
grant execute on function work.wallets_to_create to holdfast_worker;
