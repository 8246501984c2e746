-- Writes one batch of the request log, of many marketplaces: a process hands over the requests that
-- it served.
create or replace function work.log_requests(lines json) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into request_log (marketplace_id, id, occurred_at, method, route, path, status, latency_ms,
    actor_id, request_id, idempotency_key, is_replay, error_code, address, user_agent)
  select * from json_to_recordset(lines) as line (marketplace_id bigint, id text,
    occurred_at timestamptz, method text, route text, path text, status smallint, latency_ms int,
    actor_id text, request_id text, idempotency_key text, is_replay boolean, error_code text,
    address text, user_agent text)
$$;
alter function work.log_requests owner to holdfast_operator;
revoke execute on function work.log_requests from public;
grant execute on function work.log_requests to holdfast_api;
