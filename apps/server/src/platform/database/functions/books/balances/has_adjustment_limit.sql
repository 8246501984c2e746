-- Whether a limit may stand against a credit of this batch.
create or replace function books.has_adjustment_limit(p_adjustment_limit bigint,
  p_requests books.posting_request[])
returns boolean
language plpgsql as $$
begin
  if not exists (select from unnest(p_requests) where kind = 'credit') then return false; end if;
  return p_adjustment_limit is not null or exists (
    select from adjustment_limit
    where limit_minor is not null
      and marketplace_id = any (array(select marketplace_id from unnest(p_requests))));
end $$;
alter function books.has_adjustment_limit owner to holdfast_books;
revoke execute on function books.has_adjustment_limit from public;
