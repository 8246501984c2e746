-- The outcome that a request's reference stands for; without result if it is new for this user.
create or replace function books.find_by_reference(p_request books.posting_request, p_user text)
returns books.outcome
language plpgsql as $$
declare
  stored_reference entry_reference;
  outcome books.outcome;
begin
  if p_request.reference is null then return outcome; end if;
  select * into stored_reference from entry_reference
  where marketplace_id = p_request.marketplace_id and user_id = p_user
    and reference = p_request.reference;
  if found then
    outcome.result := 'repeated';
    outcome.entry_id := stored_reference.entry_id;
    outcome.request_hash := stored_reference.request_hash;
    -- Same content: the key stands for the first entry. Other content: the key is bound to no.
    if stored_reference.request_hash <> p_request.request_hash
    then outcome.refusal := 'REFERENCE_REUSED'; end if;
  end if;
  return outcome;
end $$;
alter function books.find_by_reference owner to holdfast_books;
revoke execute on function books.find_by_reference from public;
