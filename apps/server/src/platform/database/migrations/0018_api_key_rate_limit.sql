-- In place of the rate limit that all keys have.
alter table api_key add column requests_per_minute int;
alter table api_key add constraint api_key_rate_check
  check (requests_per_minute between 1 and 100000) not valid;
