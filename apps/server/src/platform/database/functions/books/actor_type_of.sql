-- The kind of actor behind an actor id.
create or replace function books.actor_type_of(p_actor text) returns text
language sql immutable parallel safe as $$
  select case when p_actor = 'system' then 'SYSTEM' when p_actor like 'opr\_%' then 'OPERATOR'
    else 'API_KEY' end
$$;
alter function books.actor_type_of owner to holdfast_books;
revoke execute on function books.actor_type_of from public;
