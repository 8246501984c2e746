//! What each database role may do, as a table. `grants.test.ts` compares it with what PostgreSQL
//! reports, in both directions: a grant too many and one too few both fail. The migrations grant; a
//! change of a grant is a change of this table. `function-grants.ts` has the functions.
//!
//! Columns are roles, without the prefix `holdfast_`. A new role is a new column.

/** `memberships`: the roles that it can switch to. No role inherits the rights of another. */
export const ROLES = `
| role      | kind    | memberships | used by                                                  |
| api       | login   | operator    | the API server                                           |
| worker    | login   | sequencer   | the worker                                               |
| operator  | nologin |             | the API server, for routes across marketplaces           |
| sequencer | nologin |             | the worker's connection that orders events               |
| books     | nologin |             | owns the posting functions: the only writer of the books |
| custody   | nologin |             | owns the function that gives a pooled wallet to a user   |
| auditor   | nologin |             | audit:books and verify:audit                             |
`;

/** Everyone may name the objects of `public` and `books`; each of them is granted by itself. */
export const OTHER_RIGHTS = `
| object                | right | roles |
| schema public         | usage | public, api, worker, operator, sequencer, books, custody, auditor |
| schema books          | usage | public, api, worker |
| schema access         | usage | api |
| schema work           | usage | api, worker |
| schema custody        | usage | api |
| sequence entry_number | usage | books |
`;

/**
 * S select, I insert, U update, D delete. Lower case: only the columns that COLUMN_GRANTS lists.
 * Row-level security narrows each to the marketplace that the transaction names.
 */
export const TABLE_GRANTS = `
| table                    | api  | worker | operator | sequencer | books | custody | auditor | why both processes write it; what a policy narrows |
| account                  | S    | S      | S        |           | SIU   |         | S       | |
| address_scan             |      | SU     |          |           |       |         |         | |
| address_shortfall        |      | SIUD   | S        |           |       |         | S       | |
| adjustment_limit         | S    |        | SIU      |           | S     |         | S       | |
| api_key                  | SIu  |        | SIU      |           |       |         | S       | |
| approval                 | SIu  |        | SIu      |           |       |         | S       | |
| audit                    | SI   | I      | sI       | S         | SI    |         | S       | the process that acts records it |
| audit_link               |      |        | S        | SI        |       |         | S       | |
| balance_difference       | Si   | S      |          |           | Su    |         | S       | |
| contract                 | SI   | SI     | S        |           |       |         | S       | the saga deploys; a notification or a finder may see it first |
| contract_fee             | I    | SIu    | S        |           |       |         | S       | the process that settles the order leaves the row to fill in |
| decided_alone            | SI   |        |          |           |       |         | S       | |
| deposit                  | Si   | Si     | s        |           | Su    |         | S       | the feed is the worker's; sync of one address is a request |
| dispute                  | SIu  | Su     | S        |           |       |         | S       | people decide; the saga carries out or gives back |
| dispute_evidence         | SI   |        |          |           |       |         | S       | |
| dispute_note             | SI   |        |          |           |       |         | S       | |
| entry                    | S    | S      | s        | S         | SI    |         | S       | |
| entry_reference          |      |        |          |           | SI    |         | S       | |
| envelope                 | S    | SIU    | S        |           |       |         | S       | |
| escrow                   | SIu  | SIu    | S        |           |       |         | S       | requested by people or by a checkout; the saga and notifications move it |
| event                    | S    | S      |          | SI        |       |         | S       | |
| event_head               | S    | S      | S        | SIU       |       |         | S       | |
| house_capital            |      | SI     | SI       |           |       |         | S       | policy: the worker records openings only |
| house_delta              | S    |        | S        |           | SID   |         | S       | |
| house_wallet             | s    | SIU    | s        |           |       |         |         | |
| idempotency              | SIu  |        | SIu      |           | SID   |         | S       | |
| inbox                    | SIu  | Su     | Su       |           |       |         | S       | a notification is applied on arrival, or later by a job |
| insight_head             | S    | SIU    | S        |           |       |         | S       | |
| insight_hour             | S    | SI     |          |           |       |         | S       | |
| lien                     | S    | S      |          |           | SIu   |         | S       | |
| lineage                  | S    | SIu    | Su       |           |       |         | S       | the worker checks; platform admins open |
| lineage_mark             |      | Su     |          |           |       |         |         | |
| marketplace              | S    | S      | SIU      | S         |       |         | S       | |
| marketplace_stop         | SIu  | SIu    | SIu      |           | S     |         | S       | people stop and lift; a reversal above the limit stops |
| marketplace_terms        | SI   | S      | SI       |           |       |         | S       | |
| member                   | SIu  |        |          |           |       |         | S       | |
| milestone                | SIu  | Su     |          |           |       |         | S       | completed by people, or as a notification shows |
| mirror_backoff           |      | SIUD   | SD       |           |       |         | S       | |
| mirror_batch             |      | SIu    | S        |           |       |         | S       | |
| mirror_cursor            |      | SIU    | S        |           |       |         | S       | |
| mirror_item              | S    | SIu    | S        |           |       |         | S       | |
| mirror_queue             | SI   | SID    | S        |           |       |         | S       | the process that moves money on the network marks the user |
| network_cursor           |      | SIU    |          |           |       |         |         | |
| open_operation           | SID  | SID    | S        |           |       |         | S       | as operation |
| open_order               | SID  | SD     | S        |           |       |         | S       | the process that closes the order removes it |
| operation                | SIu  | SIU    | S        |           |       |         | S       | requested by people or by a job; a person may retry one |
| operation_step           | S    | SIU    | S        |           |       |         | S       | |
| operator                 |      |        | SIu      |           |       |         | S       | |
| operator_invitation      |      |        | SIUD     |           |       |         | S       | |
| operator_membership      |      |        | SID      |           |       |         | S       | |
| operator_proof           |      |        | SI       |           |       |         | S       | |
| operator_session         |      |        | SIu      |           |       |         | S       | |
| orders                   | SIu  | Su     | S        |           | S     |         | S       | sagas and notifications move it; only people create one |
| outbox                   | SI   | I      | I        | SD        | I     |         | S       | the process that acts emits events |
| payin_reference          | SI   | SI     | S        |           |       |         | S       | named at the request, or when the provider names it |
| payout_destination       | SIu  |        |          |           |       |         | S       | |
| payout_use               | SIu  | Su     |          |           |       |         | S       | the process that hears of the end of a payout gives it back |
| payouts_pause            | SU   | Su     | SU       |           |       |         | S       | a breach pauses; policy: only people resume |
| pooled_wallet            | su   | SIUD   | s        |           |       | SD      |         | claimed for a new user; all else is the worker's |
| project                  | SIu  |        |          |           |       |         | S       | |
| reconciliation_exception | Su   | SIu    | S        |           | Su    |         | S       | runs find; people resolve |
| reconciliation_match     |      | SID    | S        |           |       |         | S       | |
| reconciliation_run       | SI   | SIu    | S        |           |       |         | S       | started by people or by the schedule |
| registration_count       | SIuD |        |          |           |       |         | S       | |
| request_log              | S    |        | I        |           |       |         | S       | |
| recovery_finding         | sI   | SI     | SI       |           |       |         |         | the job finds; API servers and people report lost writes |
| recovery_step            | S    | SIu    | S        |           |       |         |         | |
| reservation              | S    | S      |          |           | SIU   |         | S       | |
| schema_migration         | S    | S      |          |           |       |         |         | |
| solvency_reading         | S    | SID    | S        |           |       |         | S       | |
| topup                    | SIu  | Su     | S        |           | Su    |         | S       | polls, sagas and notifications move it; only people create one |
| topup_poll               | SIUD | SIUD   | S        |           |       |         | S       | requests and notifications hasten a poll, the job makes it |
| treasury_draw            |      | SID    |          |           |       |         | S       | |
| treasury_share           |      | Siu    | SIU      |           |       |         | S       | |
| users                    | SIU  | Su     |          |           | S     |         | S       | a reversal suspends; people do all else |
| wallet                   | si   | Siu    | s        |           |       | sI      | S       | requested by the process that moves money first; seeds are the worker's |
| wallet_link              | SIu  |        |          |           |       |         | S       | |
| wallet_mirror            | Siu  | SIU    | S        |           |       |         | S       | dust of deposits and of sync |
| webhook_delivery         | S    | SIU    | SD       |           |       |         | S       | |
| webhook_endpoint         | SIU  | Su     | S        |           |       |         | S       | too many failures pause it; people do all else |
| webhook_lane             | SIu  | SU     | S        |           |       |         | S       | the lane is the worker's; changes of its endpoint interrupt it |
| withdrawal               | SIu  | Su     | S        |           | Su    |         | S       | polls, sagas and notifications move it; only people create one |
`;

/** The lower-case letters of TABLE_GRANTS. */
export const COLUMN_GRANTS = `
| table | right | roles | columns |
| api_key | update | api | key_hash, expires_at, revoked_at |
| approval | update | api, operator | status, decided_by, decided_by_email, decided_by_name, decision_reason, decided_at, refusal_code, updated_at |
| audit | select | operator | marketplace_id, id, action, resource_id |
| balance_difference | insert | api | marketplace_id, id, user_id, asset, address_stroops, mirrored_stroops, unexplained_stroops, currency, amount, dust_stroops, created_at |
| balance_difference | update | books | entry_id |
| contract_fee | update | worker | provider_stroops, recorded_at |
| deposit | insert | api, worker | marketplace_id, operation_id, transfer_index, line_id, user_id, address, from_address, hash, asset, stroops, currency, amount, dust_stroops, occurred_at, credited_at |
| deposit | select | operator | operation_id, transfer_index |
| deposit | update | books | entry_id |
| dispute | update | api, worker | status, assigned_to, decision, release_amount, refund_amount, note, claimed_by, claimed_operation_id, updated_at, resolved_at |
| entry | select | operator | marketplace_id, id, correlation_id |
| escrow | update | api, worker | status, deploy_hash, provider_contract_id, funded_at, released_at, refunded_at, archived_at |
| house_wallet | select | api | kind, number, address, trusted_at |
| house_wallet | select | operator | address |
| idempotency | update | api | status, response, operation_id |
| idempotency | update | operator | status, response |
| inbox | update | api, worker | marketplace_id, resource_id, status, attempts, next_try_at, applied_at, last_error |
| inbox | update | operator | status, attempts, next_try_at, last_error, contradictions |
| lien | update | books | lifted_at |
| lineage | update | operator | status, reason, opened_at, open_requested_by, open_requested_at, open_reason |
| lineage | update | worker | status, reason, opened_at, compared_start |
| lineage_mark | update | worker | mark, marked_at |
| marketplace_stop | update | api, operator | awaited, settled_at, lifted_by, lift_reason, lifted_at |
| marketplace_stop | update | worker | awaited, settled_at |
| member | update | api | password_hash, tokens_valid_from, reset_token_hash, reset_expires_at |
| milestone | update | api, worker | status, completed_at |
| mirror_batch | update | worker | status, attempts, next_try_at, ended_at |
| mirror_item | update | worker | status |
| operation | update | api | status, epoch, result, refusal_code, refusal_details, next_try_at, heartbeat_at, updated_at |
| operator | update | operator | password_hash, totp_secret, totp_key_version, totp_step, failed_code_count, locked_until, status, last_signed_in_at, approves_from |
| operator_session | update | operator | last_seen_at, ended_at |
| orders | update | api, worker | status, close_reason, escrow_id, dispute_id, updated_at |
| payout_destination | update | api | trusted_at |
| payout_use | update | api | is_cooling, claimed_at, committed_at, given_back_at |
| payout_use | update | worker | given_back_at |
| payouts_pause | update | worker | paused_at, reason, changed_by, changed_at |
| pooled_wallet | select | api | id, status, claimed_at, stored_lsn |
| pooled_wallet | select | operator | address |
| pooled_wallet | update | api | claimed_at |
| project | update | api | order_id |
| reconciliation_exception | update | api | status, action, reason, resolved_by, resolved_at, user_id, updated_at |
| reconciliation_exception | update | worker | cause, status, currency, stroops, clearing, resource_type, resource_id, ours, theirs, record_at, last_run_id, updated_at |
| reconciliation_exception | update | books | posted |
| recovery_finding | select | api | id |
| recovery_step | update | worker | finished_at, detail |
| reconciliation_run | update | worker | status, totals, opened, seen_again, cleared, ended_at |
| registration_count | update | api | count |
| topup | update | api, worker | status, provider_payin_id, confirmation_uri, failure_reason, error_code, received, received_currency, received_at, fee, reversed, updated_at |
| topup | update | books | credited, suspended, suspended_currency, booked_fee, charged_fee, booked_reversal |
| treasury_share | insert | worker | marketplace_id, asset, drawn_stroops |
| treasury_share | update | worker | drawn_stroops, escalated_at |
| users | update | worker | status, updated_at, last_frozen_at |
| wallet | insert | api, worker | marketplace_id, id, user_id, status, created_at |
| wallet | select | api | marketplace_id, id, user_id, status, address, purpose, created_at, ready_at |
| wallet | select | operator | marketplace_id, id, user_id, status, address, created_at |
| wallet | select | custody | address |
| wallet | update | worker | status, address, sealed_seed, wrapped_key, key_version, purpose, next_try_at, ready_at, stored_lsn |
| wallet_link | update | api | proven_at |
| wallet_mirror | insert | api | marketplace_id, user_id, asset, dust_stroops, updated_at |
| wallet_mirror | update | api | dust_stroops |
| webhook_endpoint | update | worker | status, secret, old_secret, old_secret_until, pause_reason, paused_at, updated_at |
| webhook_lane | update | api | status, epoch, is_leased, next_try_at, failures, failing_since |
| withdrawal | update | api, worker | status, provider_payout_id, transaction_hash, action_required, action_url, failure_reason, error_code, observed_at, next_poll_at, committed_at, completed_at, updated_at |
| withdrawal | update | books | paid, returned |
`;
