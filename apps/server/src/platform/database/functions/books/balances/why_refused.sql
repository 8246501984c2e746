-- The reason why a balance request must be refused, or nothing. The caller has locked the account's
-- row.
create or replace function books.why_refused(p_kind text, p_holder account, p_house bigint,
  p_subject text, p_amount bigint, p_default_limit bigint, out refusal text, out have bigint,
  out reason text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ceiling constant bigint := 100000000000000000;
  allowed bigint := p_default_limit;
begin
  if p_kind in ('debit', 'reserve') then
    if p_holder.available < p_amount then
      refusal := 'INSUFFICIENT_FUNDS';
      have := p_holder.available;
    end if;
  elsif p_kind = 'credit' then
    if p_holder.available + p_holder.reserved + p_amount > ceiling then
      refusal := 'BALANCE_CEILING';
      return;
    end if;
    select limit_minor into allowed from adjustment_limit
    where marketplace_id = p_holder.marketplace_id and currency = p_holder.currency;
    if not found then allowed := p_default_limit; end if;
    if allowed is not null then
      -- One credit at a time where a limit applies, so that two cannot both use the rest of it.
      perform pg_advisory_xact_lock(p_house);
      select -coalesce(sum(delta), 0) into have from house_part
      where marketplace_id = p_holder.marketplace_id and account_id = p_house;
      if have + p_amount > allowed then
        refusal := 'ADJUSTMENT_LIMIT';
        reason := allowed::text;
      end if;
    end if;
  else
    select coalesce(sum(remaining), 0) into have from reservation
    where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
      and owner = 'manual' and subject_id is not distinct from p_subject;
    if have < p_amount or have = 0 then
      refusal := case p_kind when 'unreserve' then 'RESERVATION_EXCEEDED'
        when 'spend' then 'INVALID_RESERVED_DEDUCTION' else 'RESERVATION_NOT_FOUND' end;
      -- The owner of the money that the caller may not use.
      select owner || coalesce(' ' || subject_id, '') into reason from reservation
      where marketplace_id = p_holder.marketplace_id and account_id = p_holder.id and remaining > 0
        and not (owner = 'manual' and subject_id is not distinct from p_subject)
      order by subject_id is not distinct from p_subject desc, owner = 'manual', id limit 1;
    end if;
  end if;
end $$;
alter function books.why_refused owner to holdfast_books;
revoke execute on function books.why_refused from public;
