-- As in `pooled_wallet`, for a wallet that was created for its user. Null for one from the pool, which
-- was handed out when its seed was safe.
alter table wallet add column stored_lsn pg_lsn;
grant update (stored_lsn) on wallet to holdfast_worker;
