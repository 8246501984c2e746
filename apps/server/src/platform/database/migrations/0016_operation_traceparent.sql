-- The trace of the request that opened the operation, as a W3C `traceparent`: its attempts belong to
-- it, in whichever process they run.
alter table operation add column traceparent text;
