-- The smallest entry id of an instant: the upper bits are milliseconds since 2026. Partition bounds
-- are computed by the tables' owner, so public may call it. UTC is named because the result then
-- depends on no setting: only so the planner puts the expression in place of each call.
create or replace function books.entry_id_floor(at timestamptz) returns bigint
language sql immutable as $$
  select greatest(0, (extract(epoch from at at time zone 'UTC') * 1000)::bigint - 1767225600000) << 22
$$;
alter function books.entry_id_floor owner to holdfast_books;
