-- Finishes a partition: guarded like its parent, and one row per position in an account's history,
-- in the event log and in the audit chain. (Unique within a month: a partitioned table can promise
-- no more. The numbers are handed out under a lock; this detects a bug at once.)
create or replace procedure finish_partition(parent text, part text) language plpgsql as $$
begin
  execute format('alter table public.%I enable row level security', part);
  execute format('alter table public.%I force row level security', part);
  if parent = 'entry' then
    execute format('create unique index %I on public.%I (marketplace_id, from_account, from_seq)
      where from_seq is not null', part || '_from_seq_key', part);
    execute format('create unique index %I on public.%I (marketplace_id, to_account, to_seq)
      where to_seq is not null', part || '_to_seq_key', part);
  elsif parent in ('event', 'audit_link') then
    execute format('create unique index %I on public.%I (marketplace_id, position)',
      part || '_position_key', part);
  end if;
end $$;
revoke execute on procedure finish_partition from public;
