//! Who may execute which function, as a table; see `grants.ts`. A function that is not listed is
//! called by other functions only, as their owner.
//!
//! `runs as`: the rights that it has. A function that runs as `books` moves money, so the columns
//! of the logins say which process may cause which posting.

export const FUNCTION_GRANTS = `
| function                        | runs as  | api | worker | sequencer | books | auditor | public |
| access.approves_from            | operator | x   |        |           |       |         |        |
| access.find_api_key             | operator | x   |        |           |       |         |        |
| access.identify_api_key         | operator | x   |        |           |       |         |        |
| access.find_invitation          | operator | x   |        |           |       |         |        |
| access.find_marketplace         | operator | x   |        |           |       |         |        |
| access.find_membership          | operator | x   |        |           |       |         |        |
| access.find_operator            | operator | x   |        |           |       |         |        |
| access.inactive_keys            | operator | x   |        |           |       |         |        |
| access.inactive_memberships     | operator | x   |        |           |       |         |        |
| access.operator_names           | operator | x   |        |           |       |         |        |
| access.record_key_use           | operator | x   |        |           |       |         |        |
| access.resolve_session          | operator | x   |        |           |       |         |        |
| access.take_proof               | operator | x   |        |           |       |         |        |
| account_history                 | caller   | x   |        |           |       |         |        |
| account_seq_before              | caller   | x   |        |           |       |         |        |
| audit_content                   | caller   |     |        | x         |       | x       |        |
| books.balance_ceiling           | caller   |     |        |           |       |         | x      |
| books.book_topup_fee            | books    | x   | x      |           |       |         |        |
| books.book_topup_reversal       | books    | x   | x      |           |       |         |        |
| books.compact_house_deltas      | books    |     | x      |           |       |         |        |
| books.confirm_money             | books    | x   | x      |           |       |         |        |
| books.credit_deposit            | books    | x   | x      |           |       |         |        |
| books.credit_topup              | books    | x   | x      |           |       |         |        |
| books.entry_id_floor            | caller   |     |        |           |       |         | x      |
| books.find_posted               | books    | x   |        |           |       |         |        |
| books.fund_escrow               | books    | x   | x      |           |       |         |        |
| books.hold_for_order            | books    | x   |        |           |       |         |        |
| books.hold_for_withdrawal       | books    | x   |        |           |       |         |        |
| books.marketplaces_to_compact   | books    |     | x      |           |       |         |        |
| books.open_account              | books    | x   |        |           |       |         |        |
| books.open_order_accounts       | books    | x   |        |           |       |         |        |
| books.pay_from_escrow           | books    | x   | x      |           |       |         |        |
| books.pay_withdrawal            | books    | x   | x      |           |       |         |        |
| books.post_balance_difference   | books    | x   |        |           |       |         |        |
| books.post_batch                | books    | x   |        |           |       |         |        |
| books.post_exception            | books    | x   |        |           |       |         |        |
| books.purge_idempotency         | books    |     | x      |           |       |         |        |
| books.retake_withdrawal         | books    | x   | x      |           |       |         |        |
| books.return_order_hold         | books    | x   | x      |           |       |         |        |
| books.return_withdrawal         | books    | x   | x      |           |       |         |        |
| books.return_withdrawal_hold    | books    | x   | x      |           |       |         |        |
| books.suspend_topup             | books    | x   | x      |           |       |         |        |
| books.suspend_withdrawal        | books    | x   | x      |           |       |         |        |
| books.take_fee_from_escrow      | books    | x   | x      |           |       |         |        |
| books.unfund_escrow             | books    |     | x      |           |       |         |        |
| books.write_off_debt            | books    | x   |        |           |       |         |        |
| books.write_off_unconfirmed     | books    | x   |        |           |       |         |        |
| create_month_partitions         | owner    |     | x      |           |       |         |        |
| custody.take_pooled_wallet      | custody  | x   |        |           |       |         |        |
| drop_event_months               | owner    |     | x      |           |       |         |        |
| id_floor                        | caller   |     |        |           |       |         | x      |
| lineage_status                  | operator | x   | x      |           | x     |         |        |
| lost_writes                     | operator | x   |        |           |       |       |         |        |
| maintain_request_log_partitions | owner    |     | x      |           |       |         |        |
| new_id                          | caller   |     |        |           | x     |         |        |
| sum_insight_hours               | caller   | x   | x      |           |       |         |        |
| work.audit_heads                | operator |     | x      |           |       |         |        |
| work.audit_links                | operator |     | x      |           |       |         |        |
| work.booked_sums                | operator |     | x      |           |       |         |        |
| work.busy_addresses             | operator |     | x      |           |       |         |        |
| work.check_repeated_event       | operator | x   |        |           |       |         |        |
| work.contract_fees_to_record    | operator |     | x      |           |       |         |        |
| work.count_ready_wallets        | operator |     | x      |           |       |         |        |
| work.count_wallets_since        | operator |     | x      |           |       |         |        |
| work.durability                 | owner    | x   | x      |           |       |         |        |
| work.event_heads                | operator | x   | x      |           |       |         |        |
| work.event_logs_to_mirror       | operator |     | x      |           |       |         |        |
| work.has_open_envelope          | operator |     | x      |           |       |         |        |
| work.has_unseen_movement        | operator |     | x      |           |       |         |        |
| work.house_marketplace          | operator | x   | x      |           |       |         |        |
| work.in_transit_sums            | operator |     | x      |           |       |         |        |
| work.inbox_events_due           | operator |     | x      |           |       |         |        |
| work.insights_to_sum            | operator |     | x      |           |       |         |        |
| work.is_known_number            | operator |     | x      |           |       |         |        |
| work.is_own_address             | operator | x   |        |           |       |         |        |
| work.known_deposits             | operator | x   | x      |           |       |         |        |
| work.log_requests               | operator | x   |        |           |       |         |        |
| work.marketplace_of_order       | operator | x   | x      |           |       |         |        |
| work.marketplace_of_user        | operator |     | x      |           |       |         |        |
| work.marketplaces_to_mirror     | operator |     | x      |           |       |         |        |
| work.marketplaces_to_reconcile  | operator |     | x      |           |       |         |        |
| work.metric_readings            | operator |     | x      |           |       |         |        |
| work.mirror_batches_due         | operator |     | x      |           |       |         |        |
| work.mirrored_sums              | operator |     | x      |           |       |         |        |
| work.newest_envelope_at         | operator |     | x      |           |       |         |        |
| work.oldest_marketplace         | operator | x   | x      |           |       |         |        |
| work.operations_to_run          | operator |     | x      |           |       |         |        |
| work.order_of_contract          | operator | x   | x      |           |       |         |        |
| work.own_addresses              | operator | x   | x      |           |       |         |        |
| work.own_transactions           | operator | x   | x      |           |       |         |        |
| work.payment_records            | operator | x   | x      |           |       |         |        |
| work.posted_exceptions          | operator |     | x      |           |       |         |        |
| work.purge_webhook_deliveries   | operator |     | x      |           |       |         |        |
| work.recorded_contract_fees     | operator |     | x      |           |       |         |        |
| work.sending_status             | operator |     | x      |           |       |         |        |
| work.stops_to_settle            | operator |     | x      |           |       |         |        |
| work.topup_of_payin             | operator | x   | x      |           |       |         |        |
| work.topups_to_poll             | operator |     | x      |           |       |         |        |
| work.unconfirmed_sums           | books    |     | x      |           |       |         |        |
| work.unmatched_payments         | operator |     | x      |           |       |         |        |
| work.wallets_after              | operator |     | x      |           |       |         |        |
| work.wallets_at                 | operator | x   | x      |           |       |         |        |
| work.wallets_to_create          | operator |     | x      |           |       |         |        |
| work.wallets_with_shortfall     | operator |     | x      |           |       |         |        |
| work.webhook_lanes_to_run       | operator |     | x      |           |       |         |        |
| work.withdrawal_of_payout       | operator | x   | x      |           |       |         |        |
| work.withdrawals_to_expire      | operator |     | x      |           |       |         |        |
| work.withdrawals_to_poll        | operator |     | x      |           |       |         |        |
`;
