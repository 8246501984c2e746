-- The smallest id of an instant: prefix, eleven characters of microseconds, sixteen zeros. The
-- kernel's idFloor is the same in TypeScript; a test compares the two.
create or replace function id_floor(prefix text, at timestamptz) returns text
language plpgsql immutable strict as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  micros bigint := greatest(0, (extract(epoch from at) * 1000000)::bigint);
  body text := '';
begin
  for place in 1..11 loop
    body := substr(alphabet, (micros % 32)::int + 1, 1) || body;
    micros := micros / 32;
  end loop;
  return prefix || '_' || body || repeat('0', 16);
end $$;
