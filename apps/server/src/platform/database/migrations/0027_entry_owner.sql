-- Whether a journal entry is there, and by which request: acknowledged writes are searched after a
-- restore.
create policy operator on entry for select to holdfast_operator using (true);
grant select (marketplace_id, id, correlation_id) on entry to holdfast_operator;
