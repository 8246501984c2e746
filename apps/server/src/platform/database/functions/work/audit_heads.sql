-- The ends of the audit chains and their hashes, which are recorded outside of this database every
-- day. Some at a time, in the order of their numbers: number 0 is the chain of the platform, and a
-- chain stays in the list when its marketplace has no row any more.
create or replace function work.audit_heads(after bigint, at_most int)
returns table (marketplace_id bigint, name text, "position" bigint, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, case when h.marketplace_id = 0 then 'platform'
      else coalesce(m.public_id, 'number ' || h.marketplace_id) end,
    h.chain_position, h.chain_hash
  from event_head h left join marketplace m on m.id = h.marketplace_id
  where h.marketplace_id > after order by h.marketplace_id limit at_most
$$;
alter function work.audit_heads owner to holdfast_operator;
revoke execute on function work.audit_heads from public;
grant execute on function work.audit_heads to holdfast_worker;
