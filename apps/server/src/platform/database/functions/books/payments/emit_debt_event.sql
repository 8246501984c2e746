-- Emits that a user's debt changed by an entry, with what is owed then. It carries its own figures:
-- the event that points at an entry is that of the balance.
create or replace function books.emit_debt_event(p_event text, p_user text, p_entry entry,
  p_owed bigint)
returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id, correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, json_build_object(
      'userId', p_user, 'amount', to_char(p_entry.amount / 100.0, 'FM9999999999999990.00'),
      'currency', p_entry.currency, 'subjectId', p_entry.subject_id,
      'owed', to_char(p_owed / 100.0, 'FM9999999999999990.00')),
    p_entry.actor_id, p_entry.correlation_id)
$$;
alter function books.emit_debt_event owner to holdfast_books;
revoke execute on function books.emit_debt_event from public;
