-- The ends of the audit chains and their hashes, which are recorded outside of this database every
-- day. Some marketplaces at a time, in the order of their numbers.
create or replace function work.audit_heads(after bigint, at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, "position" bigint, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, m.public_id, h.chain_position, h.chain_hash
  from event_head h join marketplace m on m.id = h.marketplace_id
  where h.marketplace_id > after order by h.marketplace_id limit at_most
$$;
alter function work.audit_heads owner to holdfast_operator;
revoke execute on function work.audit_heads from public;
grant execute on function work.audit_heads to holdfast_app;
