-- Whether an audit record is there: acknowledged writes are searched after a restore.
grant select (id) on audit to holdfast_operator;
