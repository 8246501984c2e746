-- The refusal of a balance request of a marketplace whose money is stopped, with the reason of the
-- oldest stop that does so. A stop that was lifted meanwhile leaves none.
create or replace function books.refuse_frozen(p_marketplace_id bigint)
returns books.outcome
language plpgsql as $$
declare
  outcome books.outcome;
begin
  outcome.result := 'refused';
  outcome.refusal := 'MARKETPLACE_FROZEN';
  select reason into outcome.refusal_reason from marketplace_stop
  where marketplace_id = p_marketplace_id and lifted_at is null and level in ('MONEY', 'SIGNING')
  order by id limit 1;
  return outcome;
end $$;
alter function books.refuse_frozen owner to holdfast_books;
revoke execute on function books.refuse_frozen from public;
