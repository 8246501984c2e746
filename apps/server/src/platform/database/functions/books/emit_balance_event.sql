-- Emits the event of an entry, which points at the entry for its figures.
create or replace function books.emit_balance_event(p_event text, p_user text, p_entry entry) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into outbox (marketplace_id, event_type, aggregate_id, entry_id, actor_id, correlation_id)
  values (p_entry.marketplace_id, p_event, p_user, p_entry.id, p_entry.actor_id, p_entry.correlation_id)
$$;
alter function books.emit_balance_event owner to holdfast_books;
revoke execute on function books.emit_balance_event from public;
