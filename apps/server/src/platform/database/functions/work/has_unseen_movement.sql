-- Whether some address may hold another amount than is known: money of its user has moved on the
-- network since it was read, or a transfer of the mirror has no outcome yet.
create or replace function work.has_unseen_movement() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from mirror_queue where has_network_movement)
    or exists (select from mirror_item where status = 'OPEN')
$$;
alter function work.has_unseen_movement owner to holdfast_operator;
revoke execute on function work.has_unseen_movement from public;
grant execute on function work.has_unseen_movement to holdfast_worker;
