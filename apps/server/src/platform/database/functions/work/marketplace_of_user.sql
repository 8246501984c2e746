-- The marketplace of a user that a forgotten payment names. By the wallet, which every user has.
create or replace function work.marketplace_of_user(wanted_user text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.id from marketplace m
  where exists (select from wallet w where w.marketplace_id = m.id and w.user_id = wanted_user)
$$;
alter function work.marketplace_of_user owner to holdfast_operator;
revoke execute on function work.marketplace_of_user from public;
grant execute on function work.marketplace_of_user to holdfast_worker;
