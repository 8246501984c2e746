-- The number of an account's last entry before a moment; zero when there is none.
create or replace function account_seq_before(p_account bigint, p_moment timestamptz) returns bigint
language sql stable as $$
  select coalesce(max(seq), 0) from (
    (select e.from_seq as seq from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.from_account = p_account and e.from_seq is not null
      and e.id < books.entry_id_floor(p_moment)
    order by e.from_seq desc limit 1)
    union all
    (select e.to_seq from entry e
    where e.marketplace_id = current_setting('app.marketplace_id')::bigint
      and e.to_account = p_account and e.to_seq is not null
      and e.id < books.entry_id_floor(p_moment)
    order by e.to_seq desc limit 1)) as last_on_each_side
$$;
revoke execute on function account_seq_before from public;
grant execute on function account_seq_before to holdfast_api;
