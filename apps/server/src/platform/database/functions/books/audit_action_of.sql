-- The audit action of a balance request of this kind.
create or replace function books.audit_action_of(kind text)
returns text language sql immutable as $$
  select case kind when 'credit' then 'BALANCE_CREDITED' when 'debit' then 'BALANCE_DEBITED'
    when 'reserve' then 'BALANCE_RESERVED' when 'unreserve' then 'BALANCE_UNRESERVED'
    when 'cancel' then 'RESERVATIONS_CANCELED' when 'spend' then 'RESERVED_SPENT' end
$$;
alter function books.audit_action_of owner to holdfast_books;
revoke execute on function books.audit_action_of from public;
