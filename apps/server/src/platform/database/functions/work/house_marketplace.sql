-- The marketplace that stands for the house: the named one, or the only one.
create or replace function work.house_marketplace(named text) returns bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when named is not null then (select m.id from marketplace m where m.public_id = named)
    else (select min(m.id) from marketplace m having count(*) = 1) end
$$;
alter function work.house_marketplace owner to holdfast_operator;
revoke execute on function work.house_marketplace from public;
grant execute on function work.house_marketplace to holdfast_api, holdfast_worker;
