-- Everything that an audit row says, in one text: its link in the chain covers it. JSON of a fixed
-- list of values, so that a column added later changes no old hash, and anyone can compute it. A row
-- that names its client has version 2 of the list, which starts with its name.
create or replace function audit_content(a audit, e entry) returns text
language sql stable as $$
  select (case when a.address is null and a.user_agent is null then said
    else jsonb_build_array('v2') || said || jsonb_build_array(a.address, a.user_agent) end)::text
  from (select jsonb_build_array(
    a.marketplace_id, a.id, extract(epoch from a.occurred_at), a.action, a.resource_type,
    a.resource_id, a.actor_type, a.actor_id, a.result, a.reason, a.correlation_id, a.before, a.after,
    case when a.entry_id is not null then jsonb_build_array(
      e.id, e.kind, e.currency, e.amount, e.from_account, e.from_bucket, e.to_account, e.to_bucket,
      e.from_seq, e.from_available, e.from_reserved, e.to_seq, e.to_available, e.to_reserved,
      e.subject_id, e.actor_id, e.correlation_id, e.reference, e.note,
      extract(epoch from e.created_at)) end) as said) version_1
$$;
revoke execute on function audit_content from public;
grant execute on function audit_content to holdfast_sequencer, holdfast_auditor;
