-- Whether the audit records of a request are there: acknowledged writes are searched after a restore.
grant select (id, correlation_id) on audit to holdfast_operator;
