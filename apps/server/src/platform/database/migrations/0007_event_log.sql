-- What the event log and the audit chain need beyond their tables.

-- Everything an audit row says, in one text: what its link in the chain covers. JSON of a fixed
-- list of values, so that a column added later changes no hash of old, and anyone can compute it.
create function audit_content(a audit, e entry) returns text
language sql stable as $$
  select jsonb_build_array(
    a.marketplace_id, a.id, extract(epoch from a.occurred_at), a.action, a.resource_type,
    a.resource_id, a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.before, a.after,
    case when a.entry_id is not null then jsonb_build_array(
      e.id, e.kind, e.currency, e.amount, e.from_account, e.from_bucket, e.to_account, e.to_bucket,
      e.from_seq, e.from_available, e.from_reserved, e.to_seq, e.to_available, e.to_reserved,
      e.subject_id, e.actor_id, e.correlation_id, e.reference, e.note,
      extract(epoch from e.created_at)) end)::text
$$;
revoke execute on function audit_content from public;
grant execute on function audit_content to holdfast_app, holdfast_sequencer, holdfast_auditor;

-- How far the logs of these marketplaces go: where to look, never what is there.
create policy operator on event_head for select to holdfast_operator using (true);
grant select on event_head to holdfast_operator;
create function work.event_heads(marketplaces bigint[])
returns table (marketplace_id bigint, "position" bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, h.position from event_head h where h.marketplace_id = any (marketplaces)
$$;
alter function work.event_heads owner to holdfast_operator;
revoke execute on function work.event_heads from public;
grant execute on function work.event_heads to holdfast_app;

-- Which of these keys are over: revoked, or past their end.
create function access.ended_keys(key_ids text[], at timestamptz) returns setof text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select wanted from unnest(key_ids) as wanted
  where not exists (select from api_key k where k.id = wanted and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > at))
$$;
alter function access.ended_keys owner to holdfast_operator;
revoke execute on function access.ended_keys from public;
grant execute on function access.ended_keys to holdfast_app;

-- Drops the months of the log that lie wholly before a time. Never the last two days, whoever asks.
create function drop_event_months(before timestamptz) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  part record;
  dropped int := 0;
begin
  for part in
    select c.relname, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)')::timestamptz as ends
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.event'::regclass and c.relname ~ '^event_\d{4}_\d{2}$'
  loop
    if part.ends <= least(before, now() - interval '2 days') then
      execute format('drop table public.%I', part.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
revoke execute on function drop_event_months from public;
grant execute on function drop_event_months to holdfast_app;

-- How far the audit chains go, and their hashes: what is noted outside this database day by day. Some
-- marketplaces at a time, in the order of their numbers.
create function work.audit_heads(after bigint, at_most int)
returns table (marketplace_id bigint, marketplace_public_id text, "position" bigint, hash bytea)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.marketplace_id, m.public_id, h.chain_position, h.chain_hash
  from event_head h join marketplace m on m.id = h.marketplace_id
  where h.marketplace_id > after order by h.marketplace_id limit at_most
$$;
alter function work.audit_heads owner to holdfast_operator;
revoke execute on function work.audit_heads from public;
grant execute on function work.audit_heads to holdfast_app;
