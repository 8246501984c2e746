-- Emits the event of an entry of one user and writes its audit row, both pointing at the entry.
create or replace function books.emit_posting(p_entry entry, p_event text, p_user text,
  p_audit text, p_action text, p_reason text default null)
returns void
language plpgsql as $$
begin
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, audit_id, actor_id,
    correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, p_entry.id, p_audit, p_entry.actor_id,
    p_entry.correlation_id);
  insert into audit (marketplace_id, id, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, entry_id)
  values (p_entry.marketplace_id, p_audit, p_entry.created_at, p_action, 'Balance', p_user,
    books.actor_type_of(p_entry.actor_id), p_entry.actor_id, 'SUCCESS', p_reason,
    p_entry.correlation_id, p_entry.id);
end $$;
alter function books.emit_posting owner to holdfast_books;
revoke execute on function books.emit_posting from public;
