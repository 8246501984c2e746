//! The cause of each error and what a caller does about it: the text of the error pages.
import { type ErrorCode, errors } from '@holdfast/contract/errors';

export interface Advice {
  readonly cause: string;
  readonly cure: string;
}

/** The sentence about a code that no caller can receive today; none for the others. */
export function reservation(code: ErrorCode): string[] {
  const { reserved } = errors[code];
  return reserved === undefined ? [] : [`Reserved: ${reserved}.`];
}

/** The message, and whether the code is reserved. */
export function meaningOf(code: ErrorCode): string {
  return [errors[code].message, ...reservation(code)].join(' ');
}

const byId = (thing: string, list: string): Advice => ({
  cause: `The id is mistyped, or belongs to another marketplace: both return the same error. ${thing} are never deleted.`,
  cure: `Compare the id with the one you stored, and check the marketplace of your key with \`GET /api/v1/auth/me\`. ${list} lists them.`,
});

// biome-ignore format: a table is the one thing exempt from the line limit.
export const ADVICE: Readonly<Record<ErrorCode, Advice>> = {
  VALIDATION_ERROR: { cause: 'A field is missing, misspelt, of the wrong type, or not defined for this endpoint. Unknown fields are refused, not ignored.', cure: 'Read `details.errors`: one entry per fault, with the field, the rule and a message. `details.validationErrors` has the messages alone. Fix the request and send it again. The status is 400 on Surface A (the API for marketplaces) and 422 on Surface B (the API for members).' },
  INVALID_AMOUNT: { cause: 'The amount is not a positive decimal string with at most two decimal places, or the parts of a split do not add up to the order amount, or the balance would exceed the maximum of an account.', cure: 'Send amounts as strings such as `"100.00"`. Compute in cents and never round in between. `details.reason` names the fault.' },
  INVALID_STATE: { cause: 'The resource has already left the required state, or has not reached it. Often the same call arrived twice, or another caller acted first.', cure: 'Read the resource. If it is already in the state you wanted, the first call succeeded: continue. `details.state` is the current state, `details.allowed` lists the states this call requires, and `allowedActions` of an order lists the actions that are possible now. Branch on the code: the status is 400 on order, escrow, resolution and dispute routes and 409 elsewhere.' },
  RESERVATION_EXCEEDED: { cause: 'The amount to release exceeds the manual reservations. Money reserved for an order or a withdrawal is not counted.', cure: 'Read the balance and `details.reserved`. To free the money of an order, cancel or refund the order.' },
  INVALID_RESERVED_DEDUCTION: { cause: 'The amount to deduct exceeds the manual reservations. Money reserved for an order or a withdrawal is not counted.', cure: 'Read `details.reserved` and request at most that amount.' },
  MARKETPLACE_REQUIRED: { cause: 'An operator can have roles in several marketplaces, and the request names none.', cure: 'Send the id of the marketplace in `X-Holdfast-Marketplace`. `GET /api/v1/operators/me` lists the marketplaces of the session.' },
  REASON_REQUIRED: { cause: 'An operator requested a change without a reason; the audit log requires one.', cure: 'Send the reason in `X-Holdfast-Reason`, percent-encoded, or as `reason` in the body where that field is free text.' },
  ESCROW_FUNDING_FAILED: { cause: 'The provider or the network confirmed that the contract was not funded, for example because the address could not pay the network fee. The rollback is complete: the order is `FUNDS_RESERVED`, the money is reserved again and the escrow is archived.', cure: 'Create and fund the escrow again, or cancel the order.' },
  UNAUTHORIZED: { cause: 'The key is missing, mistyped, revoked or expired. A token of one API (Surface A for marketplaces, Surface B for members) is not valid on the other.', cure: 'Send `Authorization: Bearer …` with a valid key. After a rotation the old key works until its overlap ends.' },
  WEBHOOK_SIGNATURE_INVALID: { cause: 'The signature was made with another secret, or over different bytes. A proxy or framework that parses and re-encodes the body breaks it.', cure: 'Compare the secret on both sides and send the body exactly as it was signed. Nothing was stored.' },
  SIGN_IN_REFUSED: { cause: 'Email, password or code is wrong, the code was used before, or the operator is disabled or locked after wrong codes. The response does not say which.', cure: 'Wait for the next code and try again. A platform admin can enable an operator or reset two-factor authentication; see [refused sign-in](../../operations/operators.md#refused-sign-in).' },
  INSUFFICIENT_SCOPE: { cause: 'The key lacks the scope in `details.required`. `master` means that the call requires the master key.', cure: 'Use a key that has the scope, or create one. The scopes of a key cannot be changed.' },
  OPERATOR_ROLE_REQUIRED: { cause: 'The role of the operator in this marketplace does not allow the call, or the call requires an API key.', cure: '`details.required` lists the roles that allow the call; a platform admin assigns roles. See [the table of roles](../../guides/operators.md).' },
  CSRF_REQUIRED: { cause: 'A request with a session cookie came without the CSRF token of that session, or from another site.', cure: 'Send the `csrfToken` of `GET /api/v1/operators/me` in `X-Holdfast-Csrf`, from a page of this service. A program that uses an API key needs no CSRF token.' },
  SECOND_APPROVER_REQUIRED: { cause: 'The operator who requested an action cannot approve or reject it.', cure: 'Another operator with a suitable role has to decide. `details.requestedBy` names the requester.' },
  PLATFORM_ADMIN_REQUIRED: { cause: 'The request came with the master key, which creates operators and increases limits only while fewer than two platform admins are active.', cure: 'A platform admin makes the request in the console, and another one approves it.' },
  USER_NOT_FOUND: byId('Users', '`GET /api/v1/users`'),
  ORDER_NOT_FOUND: byId('Orders', '`GET /api/v1/orders`'),
  MILESTONE_NOT_FOUND: { cause: 'The order has no milestone with this `ref`. The ref is the name you chose, not the `mil_` id.', cure: '`GET /api/v1/orders/{id}/milestones` lists the refs.' },
  DISPUTE_NOT_FOUND: byId('Disputes', '`GET /api/v1/disputes`'),
  TOPUP_NOT_FOUND: byId('Top-ups', '`GET /api/v1/topups`'),
  WITHDRAWAL_NOT_FOUND: byId('Withdrawals', '`GET /api/v1/withdrawals`'),
  RESERVATION_NOT_FOUND: { cause: 'There is no manual reservation under this order id, or it was already released or deducted.', cure: 'Read the balance. This call does not release the reservation that Holdfast creates for an order; that reservation ends with the order.' },
  API_KEY_NOT_FOUND: byId('Keys', '`GET /api/v1/auth/api-keys`'),
  MARKETPLACE_NOT_FOUND: { cause: 'The id is mistyped, or belongs to another deployment.', cure: '`GET /api/v1/marketplaces` with the master key lists all marketplaces.' },
  OPERATION_NOT_FOUND: { cause: 'The id is mistyped, or belongs to another marketplace.', cure: 'Take the id from `details.operationId` of the error that named it.' },
  RUN_NOT_FOUND: byId('Runs', '`GET /api/v1/reconciliation/runs`'),
  EXCEPTION_NOT_FOUND: byId('Exceptions', '`GET /api/v1/reconciliation/exceptions`'),
  WEBHOOK_ENDPOINT_NOT_FOUND: { cause: 'The id is mistyped, or belongs to another marketplace: both return the same error. Endpoints are disabled, never deleted.', cure: '`GET /api/v1/webhook-endpoints` lists the endpoints.' },
  EVENT_NOT_FOUND: { cause: 'The id is mistyped, the event belongs to another marketplace, or it is past retention.', cure: 'Find the event in `GET /api/v1/events/log`. An event past retention cannot be sent again: read the resource instead.' },
  KEY_REQUESTER_REQUIRED: { cause: 'Another operator requested the key, or the master key created it.', cure: 'The operator who requested the key fetches the secret. If that is not possible, revoke the key and request another.' },
  SESSION_NOT_FOUND: { cause: 'The id is mistyped, the session has ended, or it belongs to another operator.', cure: '`GET /api/v1/operators/me/sessions` lists your open sessions.' },
  OPERATOR_NOT_FOUND: { cause: 'The id is mistyped. Operators are disabled, never deleted.', cure: '`GET /api/v1/operators` lists all operators, for platform admins and the master key.' },
  APPROVAL_NOT_FOUND: byId('Approvals', '`GET /api/v1/approvals`'),
  ACCOUNT_NOT_FOUND: byId('Accounts', '`GET /api/v1/ledger/accounts`'),
  ENTRY_NOT_FOUND: byId('Entries', '`GET /api/v1/ledger/entries`'),
  NOTIFICATION_NOT_FOUND: { cause: 'The id is mistyped, or the notification belongs to another marketplace or to none. Only platform admins and the master key see the latter.', cure: '`GET /api/v1/inbox` lists the notifications.' },
  FEATURE_NOT_AVAILABLE: { cause: 'The deployment lacks the feature in `details.feature`. The test lab (`lab`) exists only in development, with a sandbox.', cure: 'For the test lab, set `HOLDFAST_SANDBOX_URL` in a development deployment.' },
  ROUTE_NOT_FOUND: { cause: 'The path is mistyped. Paths are case-sensitive and have no trailing slash. Surface A (the API for marketplaces) is below `/api/v1`; Surface B (the API for members) is at the root.', cure: 'Compare the path with the reference.' },
  METHOD_NOT_ALLOWED: { cause: 'The path exists with another method.', cure: 'Use one of `details.allowed`, which is also in the header `Allow`.' },
  DISPUTE_ALREADY_OPEN: { cause: 'The order has an unresolved dispute, so it cannot be released, refunded or disputed again. The status of the order shows the dispute and is checked first, so such a call is refused with `INVALID_STATE`.', cure: 'Resolve the dispute in `details.disputeId`. The decision closes the order, so do not repeat the call.' },
  ESCROW_ALREADY_EXISTS: { cause: 'The order has an escrow that is not archived. Often the same call arrived twice.', cure: 'Read the order and continue with its escrow.' },
  IDEMPOTENCY_KEY_REUSED: { cause: 'The same caller (this API key, or one it was rotated from or to) sent this `Idempotency-Key` with the same method to this path before, with a different body or query string.', cure: 'Use one `Idempotency-Key` per intended effect, and reuse it only for retries of that effect. For a new effect, generate a new one.' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { cause: 'The first request with this `Idempotency-Key` has not completed.', cure: 'Wait for `Retry-After`, then send the same request with the same `Idempotency-Key`. The response is that of the first request.' },
  CLIENT_ORDER_REF_REUSED: { cause: 'An order with this `clientOrderRef` exists with other parties or another amount.', cure: 'Read the order in `details.orderId`. If it is the one you meant, use it; otherwise choose another reference.' },
  USER_ALREADY_EXISTS: { cause: 'A user with this `externalUserId` exists with different data.', cure: 'Read the user in `details.userId`, and use it.' },
  PAYMENT_ACCOUNT_TAKEN: { cause: 'The account at the payment provider is linked to another user of the marketplace.', cure: 'Find out which user owns the account. An account can be linked to one user only.' },
  OPERATOR_EXISTS: { cause: 'An operator with this email exists; the comparison ignores case.', cure: 'Find that operator with `GET /api/v1/operators` and assign roles, or use another address.' },
  REFERENCE_REUSED: { cause: 'The reference was used for a credit or debit of this user with another amount or direction.', cure: 'Use a unique reference for each credit and debit. The same reference with the same content returns the first response.' },
  CURSOR_EXPIRED: { cause: 'The cursor is older than the retention of the event log: 30 days by default. Events after the cursor may be gone.', cure: 'Reload the resources that you store copies of, then continue from `details.retainedSince`.' },
  PAYLOAD_TOO_LARGE: { cause: 'The body exceeds `details.limitBytes`.', cure: 'Send less. Store large data elsewhere and put its URL into `metadata` or `evidence`.' },
  UNSUPPORTED_MEDIA_TYPE: { cause: 'The body was not sent as `application/json`, or it was compressed.', cure: 'Send `Content-Type: application/json` and an uncompressed body.' },
  INSUFFICIENT_FUNDS: { cause: 'The available balance is below the requested amount. Reserved money is not available. Where `details.unconfirmed` is there, the balance shows that part of the money, but the record of the payment provider has not confirmed it yet.', cure: 'Top up the balance, or request at most `details.available`. Unconfirmed money: try again later; the record usually follows within seconds.' },
  RESERVE_NOT_FOUND: { cause: 'The reserved amount is less than the order amount, so the escrow cannot be funded.', cure: 'Reserve first: `POST /api/v1/orders/{id}/reserve`.' },
  ADJUSTMENT_LIMIT: { cause: 'A manual credit creates money without a payment, so each marketplace has a limit. In production it is 0 until a platform admin increases it.', cure: 'Bring money in by top-ups or deposits. If you need a manual credit, have a platform admin increase the limit.' },
  AMOUNT_OUT_OF_RANGE: { cause: 'The amount is below the minimum or above the maximum of this deployment.', cure: 'Keep the amount between `details.minimum` and `details.maximum`. `GET /api/v1/config` has all limits.' },
  CURRENCY_NOT_ESCROWABLE: { cause: 'Escrow contracts hold USDC, which backs balances in USD and USDC. An order in another currency cannot be funded.', cure: 'Create the order in USD or USDC.' },
  CURRENCY_NOT_SUPPORTED: { cause: 'The payment provider does not support this currency: top-ups and withdrawals through it accept USD and USDC. Only a withdrawal to a `crypto` destination can be in XLM.', cure: 'Choose another currency, or for a withdrawal another `destination.type`.' },
  DESTINATION_NOT_SUPPORTED: { cause: 'The deployment has no provider for this type of destination.', cure: 'Choose another `destination.type`.' },
  DESTINATION_INVALID: { cause: 'The account or address cannot be used: a wrong checksum, no trustline for the asset, a missing memo where the account requires one, an inactive account, or an address of this platform.', cure: 'Show `details.reason` to the user and let the user choose another destination. No money was reserved.' },
  DESTINATION_COOLING: { cause: 'In production a destination has to wait for 24 hours, unless set otherwise, from the first withdrawal that was created to it for this user. Until then, at most `details.allowance` in 24 hours may go to all new destinations of the user together; the withdrawal stays created, and its money reserved.', cure: 'Show the user when the payout is possible, and commit the same withdrawal again after `details.retryAfter` seconds. If the destination is not the user\'s own, cancel the withdrawal. Sooner, only two operators can confirm it in the console.' },
  LIMIT_REACHED: { cause: 'The withdrawals of the user, or of all users of the marketplace, that were committed in the last 24 hours leave no room for this amount. `details.of` says whose limit it is. USD and USDC count together; failed and canceled withdrawals do not count.', cure: 'Commit the same withdrawal again after `details.retryAfter` seconds. Without `details.retryAfter` the amount is above the whole limit: cancel the withdrawal and create smaller ones. Two operators can confirm it in the console at any time.' },
  PAYMENT_ACCOUNT_INVALID: { cause: 'The payment provider has no account with this email, or the account is not active. An escrow requires an account for both parties.', cure: 'Have the user open the account, then link it again.' },
  STATEMENT_TOO_LONG: { cause: 'The period has more lines than one statement may have.', cure: 'Request several shorter periods. Each starts with the closing balance of the one before.' },
  WEBHOOK_URL_REFUSED: { cause: 'Webhooks are sent over https, to public addresses only. The URL has another scheme, credentials, a port that is not allowed, or a host that resolves to a private, loopback or link-local address.', cure: 'Use a public https address; `details.reason` names the fault. In development, loopback addresses are allowed. To receive events on your own machine, use `holdfast listen`.' },
  WEBHOOK_LIMIT: { cause: 'The marketplace has reached the limit for `details.of`.', cure: 'For endpoints, disable one that you no longer need (`DELETE /api/v1/webhook-endpoints/{id}`). For replays, wait until one ends.' },
  USER_NOT_ACTIVE: { cause: 'The user is `SUSPENDED`: an operator froze the user. `PENDING_VERIFICATION` is reserved; this version never sets it.', cure: 'Wait until an operator unfreezes the user, then retry with a new `Idempotency-Key`: this refusal is stored under the first one. Money in transit still arrives.' },
  RATE_LIMITED: { cause: 'The key, the address or the user has exceeded the limit of requests in 60 seconds.', cure: 'Wait for `Retry-After`. `X-RateLimit-Remaining` on each response has the remaining requests. Listen to events instead of polling.' },
  INTERNAL_ERROR: { cause: 'With `details.operationId`, a provider rejected the call, and the operation was rolled back. With `details.reason` alone, the call was refused and nothing was done: for example, an escrow cannot be created while a party is frozen or has no payment account, or funded before it is created. With neither, Holdfast has a bug, and the outcome is unknown.', cure: 'With `details.operationId`, read the operation, then retry later. With `details.reason` alone, remove the reason, then retry. With neither, read the resource before you retry, with the same `Idempotency-Key` where the call accepts one. If the error persists, report it to the deployment owner, with `X-Request-ID`.' },
  STATEMENT_UNBALANCED: { cause: 'The lines of the statement do not add up to the balance. Such a statement is never returned.', cure: 'Report the error to the deployment owner, with `X-Request-ID`. Retry after the cause has been corrected.' },
  VERIFICATION_FAILED: { cause: 'The Stellar network did not respond, so the books cannot be compared with it.', cure: 'Retry. Nothing was changed.' },
  SERVICE_UNAVAILABLE: { cause: 'The process is overloaded or shutting down, or a dependency such as the database or the Stellar network is unavailable, or the deployment lacks the configuration that the call needs: a provider, the network or an encryption key. `details.reason` names the cause.', cure: 'Retry after `Retry-After`, with the same `Idempotency-Key` where the call accepts one. If `details.reason` says that the outcome is unknown, a call without a key may have been processed: read the balance first. If configuration is missing, retrying does not help: the deployment owner has to add it.' },
  ENGINE_UNAVAILABLE: { cause: 'Restate is down, or has no registered worker. Calls that need no provider still work. Nothing was done.', cure: 'Retry after `Retry-After`. Deployment owners: `GET /api/v1/health/detailed` shows `checks.engine`.' },
  PAYOUTS_PAUSED: { cause: 'Two solvency readings in a row found a breach: assets are below liabilities, or the balance at the payment provider differs from the books. Or an operator paused the payouts of the deployment, or stopped those of the marketplace. Nothing was done.', cure: 'Do not pay by other means. Operators resume payouts once the cause is resolved; then retry. Payouts that were already sent continue.' },
  MARKETPLACE_FROZEN: { cause: 'All movements of money in this marketplace are stopped, for example while a difference is investigated.', cure: 'Wait until the stop is lifted, which the event `marketplace.stop_lifted` reports; then retry, with the same Idempotency-Key. Reads still work, and operations in progress continue.' },
  PROVIDER_TIMEOUT: { cause: 'A provider or the network did not respond in time, or the operation has to wait, for example for another transaction of the same wallet. It is not known yet whether money has moved, and nothing was rolled back. Holdfast keeps trying until the outcome is known.', cure: 'Do not send the call again, unless it accepts an `Idempotency-Key` and you repeat the first one; the calls that create, fund, release or refund an escrow accept none. Do not pay by other means. Read the resource, wait for its event, or poll `GET /api/v1/operations/{id}` with `details.operationId`. A null `operationId` means that no operation was started.' },
  INVALID_CREDENTIALS: { cause: 'The email or the password is wrong; the response does not say which.', cure: 'Let the member enter them again. After `HOLDFAST_LOGIN_ATTEMPTS` attempts in 60 seconds, further attempts return `RATE_LIMITED`.' },
  NOT_THE_BUYER: { cause: 'Only the member who funded an escrow can release it.', cure: 'Log in as the buyer.' },
  INVALID_PUBLIC_KEY: { cause: 'The text is not an address of the Stellar network, or its checksum is wrong.', cure: 'Copy the whole address again.' },
  WALLET_PROOF_INVALID: { cause: 'The signature was made with another key, over another text, or after the challenge had expired.', cure: 'Request a new challenge and sign its bytes with the key of this wallet.' },
  RESET_TOKEN_INVALID: { cause: 'The token was used, replaced by a newer one, or issued more than an hour ago.', cure: 'Have the back end of the marketplace issue a new one: `POST /api/v1/users/{id}/password-reset`.' },
  EMAIL_TAKEN: { cause: 'Another member is registered with this email.', cure: 'Log in, or register with another email.' },
  PROJECT_NOT_FOUND: { cause: 'The id is mistyped, or the project belongs to another member.', cure: '`GET /projects` lists the projects of the caller.' },
  ESCROW_NOT_FOUND: { cause: 'The id is mistyped, or the escrow belongs to another member.', cure: 'The field `escrow_id` of the project has the id.' },
};
