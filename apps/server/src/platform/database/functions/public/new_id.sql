-- An id like the kernel's newId: prefix, eleven characters of time, sixteen random ones.
create or replace function new_id(prefix text, at timestamptz)
returns text language sql volatile as $$
  select left(id_floor(prefix, at), length(prefix) + 12) || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(chance.bytes, place) & 31) + 1, 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) chance, generate_series(0, 15) as place
$$;
revoke execute on function new_id from public;
grant execute on function new_id to holdfast_books;
