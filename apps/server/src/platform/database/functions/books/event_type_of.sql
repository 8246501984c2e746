-- The event that reports a balance request of this kind.
create or replace function books.event_type_of(kind text) returns text language sql immutable as $$
  select case kind when 'credit' then 'balance.credited' when 'debit' then 'balance.debited'
    when 'reserve' then 'balance.reserved' when 'unreserve' then 'balance.released'
    when 'cancel' then 'balance.released' when 'spend' then 'balance.debited' end
$$;
alter function books.event_type_of owner to holdfast_books;
revoke execute on function books.event_type_of from public;
