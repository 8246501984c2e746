-- Reads all pooled wallets, beside traffic.
alter table pooled_wallet validate constraint pooled_wallet_status_check;
