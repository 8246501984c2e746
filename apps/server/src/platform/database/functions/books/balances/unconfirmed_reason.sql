-- The unconfirmed amount of an account, where it alone is the reason that an amount can't be taken;
-- otherwise null.
create or replace function books.unconfirmed_reason(p_holder account, p_amount bigint)
returns bigint
language sql immutable as $$
  select case when p_holder.available >= p_amount then p_holder.unconfirmed end
$$;
alter function books.unconfirmed_reason owner to holdfast_books;
revoke execute on function books.unconfirmed_reason from public;
