-- One entry: moves an amount between two buckets and writes the journal. Locks accounts in the
-- order of their ids. The caller has checked that the bucket holds the amount; the account's own
-- constraint is the second check.
create or replace function books.post_entry(p_now timestamptz, p_marketplace bigint, p_kind text,
  p_from bigint, p_from_bucket text, p_to bigint, p_to_bucket text, p_amount bigint,
  p_subject text, p_actor text, p_correlation text, p_reference text, p_note text)
returns entry
language plpgsql as $$
declare
  new_entry entry;
  source account;
  target account;
begin
  -- By id alone, and compared afterwards: a planner without statistics would rather read every
  -- account of the marketplace.
  perform 1 from account where id in (p_from, p_to) and owner_id <> ''
  order by id for no key update;
  select * into source from account where id = p_from;
  select * into target from account where id = p_to;
  if source.marketplace_id is distinct from p_marketplace
    or target.marketplace_id is distinct from p_marketplace
    or source.currency <> target.currency then
    raise exception 'an entry stays within one marketplace and one currency';
  end if;

  if p_from = p_to then
    source := books.change_account(p_now, source,
      case p_to_bucket when 'available' then p_amount else -p_amount end,
      case p_to_bucket when 'reserved' then p_amount else -p_amount end);
  else
    source := books.change_account(p_now, source,
      case p_from_bucket when 'available' then -p_amount else 0 end,
      case p_from_bucket when 'reserved' then -p_amount else 0 end);
    target := books.change_account(p_now, target,
      case p_to_bucket when 'available' then p_amount else 0 end,
      case p_to_bucket when 'reserved' then p_amount else 0 end);
  end if;
  insert into entry (marketplace_id, id, kind, currency, amount,
    from_account, from_bucket, to_account, to_bucket,
    from_seq, from_available, from_reserved, to_seq, to_available, to_reserved,
    subject_id, actor_id, correlation_id, reference, note, created_at)
  values (p_marketplace, books.next_entry_id(books.entry_id_floor(p_now)),
    p_kind, source.currency, p_amount, p_from, p_from_bucket, p_to, p_to_bucket,
    case when source.owner_id <> '' then source.version end,
    case when source.owner_id <> '' then source.available end,
    case when source.owner_id <> '' then source.reserved end,
    case when target.owner_id <> '' and p_from <> p_to then target.version end,
    case when target.owner_id <> '' and p_from <> p_to then target.available end,
    case when target.owner_id <> '' and p_from <> p_to then target.reserved end,
    p_subject, p_actor, p_correlation, p_reference, p_note, p_now)
  returning * into new_entry;
  return new_entry;
end $$;
alter function books.post_entry owner to holdfast_books;
revoke execute on function books.post_entry from public;
