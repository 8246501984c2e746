-- Everything that an audit row says, in one text: its link in the chain covers it. JSON of a fixed
-- list of values, so that a column added later changes no old hash, and anyone can compute it. For a
-- row that names its client, a second list follows. One expression without a query, which PostgreSQL
-- puts into the sequencer's own: it computes this for every row.
create or replace function audit_content(a audit, e entry) returns text
language sql stable as $$
  select jsonb_build_array(
    a.marketplace_id, a.id, extract(epoch from a.occurred_at), a.action, a.resource_type,
    a.resource_id, a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.before, a.after,
    case when a.entry_id is not null then jsonb_build_array(
      e.id, e.kind, e.currency, e.amount, e.from_account, e.from_bucket, e.to_account, e.to_bucket,
      e.from_seq, e.from_available, e.from_reserved, e.to_seq, e.to_available, e.to_reserved,
      e.subject_id, e.actor_id, e.correlation_id, e.reference, e.note,
      extract(epoch from e.created_at)) end)::text
    || case when a.address is null and a.user_agent is null then ''
      else jsonb_build_array(a.address, a.user_agent)::text end
$$;
revoke execute on function audit_content from public;
grant execute on function audit_content to holdfast_sequencer, holdfast_auditor;
