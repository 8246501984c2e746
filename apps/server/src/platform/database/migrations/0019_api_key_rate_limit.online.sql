-- Reads all keys, beside traffic.
alter table api_key validate constraint api_key_rate_check;
