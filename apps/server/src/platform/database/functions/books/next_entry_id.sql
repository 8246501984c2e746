-- The next id of the journal, from the smallest one of its millisecond: the lower 22 bits number the
-- entries of one millisecond.
create or replace function books.next_entry_id(p_floor bigint) returns bigint
language sql volatile as $$
  select p_floor + (nextval('entry_number') & 4194303)
$$;
alter function books.next_entry_id owner to holdfast_books;
revoke execute on function books.next_entry_id from public;
