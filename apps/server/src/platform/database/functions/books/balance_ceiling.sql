-- The most that an account may hold, available and reserved together, in minor units. Written here
-- only: the planner puts the number into every statement that calls this. The tables' owner calls it
-- too, for the constraint, so public may call it.
create or replace function books.balance_ceiling() returns bigint
language sql immutable parallel safe as $$
  select 100000000000000000
$$;
alter function books.balance_ceiling owner to holdfast_books;
