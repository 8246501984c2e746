//! Every action that the audit log can hold, with its resource type. Existing rows never change.

export interface AuditActionRow {
  readonly resourceType: string;
  readonly description: string;
  /** Further resource types of this action. */
  readonly alsoOf?: readonly string[];
}

function action<const R extends string>(resourceType: R, description: string) {
  return { resourceType, description } satisfies AuditActionRow;
}

/** An action on several resource types: those that operations work on or providers report about. */
function actionOnAny<const R extends string>(
  resourceTypes: readonly [R, ...R[]],
  description: string,
) {
  const [resourceType, ...alsoOf] = resourceTypes;
  return { resourceType, alsoOf, description } satisfies AuditActionRow;
}

/** The resource types that operations work on. */
const OPERATED_TYPES = [
  'Order',
  'Escrow',
  'User',
  'TopUp',
  'Withdrawal',
  'ReconciliationRun',
  'Project',
] as const;
export type OperatedType = (typeof OPERATED_TYPES)[number];

// biome-ignore format: a table is the one thing exempt from the line limit.
export const auditActions = {
  MARKETPLACE_CREATED: action('Marketplace', 'A marketplace was created.'),
  ADJUSTMENT_LIMIT_SET: action('Marketplace', 'The limit on credits and debits was set.'),
  MARKETPLACE_TERMS_SET: action('Marketplace', 'A new version of the terms of the marketplace was set.'),
  TREASURY_SHARE_SET: action('Marketplace', "The marketplace's share of the treasury was set."),
  TREASURY_SHARE_USED_UP: action('Marketplace', 'The marketplace has used up its share of the treasury; transfers to addresses wait until the share is increased.'),
  MARKETPLACE_FROZEN: action('Marketplace', 'A stop was set on the marketplace, with its level and a reason.'),
  MARKETPLACE_STOP_SETTLED: action('Marketplace', 'Every transaction that had started without seeing the stop has ended.'),
  MARKETPLACE_UNFROZEN: action('Marketplace', 'A stop of the marketplace was lifted, with a reason.'),

  LINEAGE_PROMOTED: action('Lineage', 'A standby took over the database: payouts, transfers between own addresses, deposits and new wallets were closed.'),
  LINEAGE_REWOUND: action('Lineage', 'The database was found to have been set back: writes and everything that is sent were closed.'),
  LINEAGE_OPEN_REQUESTED: action('Lineage', 'A platform admin requested that the database be opened.'),
  LINEAGE_OPENED: action('Lineage', 'The database was opened after a recovery.'),

  OPERATOR_CREATED: action('Operator', 'An operator was created.'),
  OPERATOR_MEMBERSHIP_SET: action('Operator', "An operator's role in the marketplace was assigned, changed or removed."),
  OPERATOR_STATUS_SET: action('Operator', 'An operator was disabled or enabled.'),
  OPERATOR_INVITED: action('Operator', 'An operator was invited.'),
  OPERATOR_ENROLLED: action('Operator', 'The person who was invited set password and two-factor authentication.'),
  OPERATOR_ACTIVATED: action('Operator', 'A platform admin activated an operator with the confirmation code.'),
  ACTIVATION_REFUSED: action('Operator', 'A platform admin tried to activate an operator with a wrong confirmation code.'),
  OPERATOR_RESET: action('Operator', 'The credentials of an operator were deleted, all sessions ended, and the operator was invited again.'),
  OPERATOR_PASSWORD_CHANGED: action('Operator', 'An operator changed the password; all other sessions ended.'),
  OPERATOR_SIGNED_IN: action('Operator', 'An operator signed in.'),
  OPERATOR_LOCKED: action('Operator', 'An operator was temporarily locked out after too many wrong two-factor codes.'),
  SIGN_IN_REFUSED: actionOnAny(['SignIn', 'Operator', 'User'], 'Attempts to sign in, to log in or to confirm with a code were refused: summed by account, address and minute.'),
  OPERATOR_SIGNED_OUT: action('Operator', 'An operator signed out, or ended another session of their own.'),
  APPROVAL_REQUESTED: action('Approval', 'An operator requested an action that needs a second approver, with a reason.'),
  APPROVAL_APPROVED: action('Approval', 'A second approver approved the request.'),
  APPROVAL_REJECTED: action('Approval', 'A second approver rejected the request, with a reason.'),
  APPROVAL_EXPIRED: action('Approval', 'A request expired: no operator approved or rejected it in time.'),
  APPROVAL_EXECUTED: action('Approval', 'An approved request was executed.'),
  APPROVAL_FAILED: action('Approval', 'An approved request could not be executed.'),

  API_KEY_CREATED: action('ApiKey', 'An API key was created.'),
  API_KEY_SECRET_FETCHED: action('ApiKey', 'The operator who requested the API key fetched its secret.'),
  API_KEY_REVOKED: action('ApiKey', 'An API key was revoked.'),
  API_KEY_ROTATED: action('ApiKey', 'An API key was rotated; the old key expires.'),
  TOKEN_ISSUED: action('ApiKey', 'A short-lived token was issued for an API key.'),

  USER_CREATED: action('User', 'A user was created.'),
  PAYMENT_ACCOUNT_LINKED: action('User', "The user's account at the payment provider was linked."),
  LEDGER_ADDRESS_LINKED: action('User', 'The user was assigned an address on the blockchain.'),
  WALLET_CONNECTED: action('User', 'A member connected a wallet.'),
  USER_FROZEN: action('User', 'A user was frozen, with a reason.'),
  USER_UNFROZEN: action('User', 'A user was unfrozen, with a reason.'),
  PERSONAL_DATA_REVEALED: actionOnAny(['User', 'Withdrawal'], 'Personal data of a user or a payout recipient was viewed, with a reason.'),

  BALANCE_CREDITED: action('Balance', 'Money was credited.'),
  BALANCE_DEBITED: action('Balance', 'Money was debited.'),
  BALANCE_RESERVED: action('Balance', 'A manual reservation was created.'),
  BALANCE_UNRESERVED: action('Balance', 'A manual reservation was released.'),
  RESERVED_SPENT: action('Balance', 'Money was deducted from a manual reservation.'),
  RESERVATIONS_CANCELED: action('Balance', 'All manual reservations of an order were released.'),
  BALANCE_SYNCED: action('Balance', 'The books were compared with the blockchain, and the difference was posted.'),
  BALANCE_DIFFERENCE_ESCALATED: action('Balance', 'A difference between the books and the blockchain is too large to post automatically and needs attention.'),
  MIRROR_TRANSFER_ESCALATED: action('Balance', 'A transfer to match an address with the books failed and needs attention.'),
  MIRROR_DIFFERENCE_RECORDED: action('Balance', 'An address has an unexplained balance, or a payment that Holdfast did not sign.'),
  DEPOSIT_CREDITED: action('Balance', 'A deposit on the blockchain was credited.'),

  TOPUP_CREATED: action('TopUp', 'A top-up was created.'),
  TOPUP_AWAITING_USER_CONFIRMATION: action('TopUp', 'The payment page of a top-up is ready.'),
  TOPUP_PROCESSING: action('TopUp', 'The payment provider is processing a top-up.'),
  TOPUP_SUCCEEDED: action('TopUp', 'A top-up was received.'),
  TOPUP_FAILED: action('TopUp', 'A top-up failed.'),
  TOPUP_CANCELED: action('TopUp', 'A top-up was canceled.'),
  DEBT_REPAID: action('Balance', 'Debt of the user was repaid from the available balance.'),
  DEBT_WRITTEN_OFF: action('User', 'Debt of the user was written off; the marketplace bears it.'),
  TOPUP_FEE_BOOKED: action('TopUp', 'The fee of the payment provider on the payment was posted, as its record shows it.'),
  TOPUP_REVERSED: action('TopUp', "The payer's bank took the payment back; the user was charged with it."),
  TOPUP_REINSTATED: action('TopUp', 'A reversed payment was received again; the user was credited with it.'),
  WITHDRAWAL_RETURNED: action('Withdrawal', 'A completed payout came back; the user was credited with it.'),
  MONEY_CONFIRMED: actionOnAny(['TopUp', 'Withdrawal'], "The payment provider's record confirmed money that was known by notification only; it can be used."),
  WITHDRAWAL_RETAKEN: action('Withdrawal', 'The payout was made although it was reported as failed or canceled; the money was taken from the balance again.'),
  TOPUP_MONEY_SUSPENDED: action('TopUp', 'Money that matches no open top-up was moved to the suspense account.'),
  TOPUP_CONTRADICTED: action('TopUp', 'The provider reversed an earlier notification; the difference is in the suspense account.'),

  ORDER_CREATED: action('Order', 'An order was created.'),
  ORDER_FUNDS_RESERVED: action('Order', "The buyer's funds were reserved."),
  ORDER_CANCELED: action('Order', 'An order was canceled.'),
  MILESTONE_COMPLETED: action('Order', 'A milestone was completed.'),
  ESCROW_CREATE_REQUESTED: action('Order', 'Deployment of the escrow contract started.'),
  ESCROW_CREATED: action('Order', 'The escrow contract was deployed.'),
  ESCROW_CREATE_FAILED: action('Order', 'The provider rejected the deployment of the escrow contract; the order was rolled back.'),
  ESCROW_FUNDING_STARTED: action('Order', "Funding of the escrow contract started from the buyer's reservation."),
  ESCROW_FUNDED: action('Order', 'The escrow contract was funded.'),
  ESCROW_FUNDING_FAILED: action('Order', 'The provider rejected the funding of the escrow contract; the funds are reserved again.'),
  ESCROW_FOUND_DISPUTED: action('Order', 'The blockchain shows the escrow contract as disputed.'),
  RELEASE_REQUESTED: action('Order', 'A release to the seller was requested, with a reason.'),
  ORDER_RELEASED: action('Order', 'The seller was paid.'),
  RELEASE_FAILED: action('Order', 'The provider rejected the release; the funds stay in escrow.'),
  REFUND_REQUESTED: action('Order', 'A refund to the buyer was requested, with a reason.'),
  ORDER_REFUNDED: action('Order', 'The buyer was refunded.'),
  REFUND_FAILED: action('Order', 'The provider rejected the refund; the funds stay in escrow.'),
  WEBHOOK_PARKED: actionOnAny(['Order', 'TopUp', 'Withdrawal'], 'A signed provider notification could not be processed and needs review.'),
  OPERATION_ESCALATED: actionOnAny(OPERATED_TYPES, 'An operation that cannot be rolled back needs attention.'),

  OPERATION_RETRIED: actionOnAny(OPERATED_TYPES, 'An operation was retried manually, with a reason.'),
  WEBHOOK_RERUN: action('ProviderNotification', 'A provider notification was processed again manually, with a reason.'),

  DISPUTE_OPENED: action('Dispute', 'A dispute was opened.'),
  DISPUTE_ASSIGNED: action('Dispute', 'A dispute was assigned to an operator.'),
  DISPUTE_NOTE_ADDED: action('Dispute', 'An internal note was added to a dispute.'),
  DISPUTE_EVIDENCE_ADDED: action('Dispute', 'A party added evidence or a statement to a dispute.'),
  DISPUTE_DECISION_CLAIMED: action('Dispute', 'A decision was made; its execution is in progress.'),
  DISPUTE_RESOLVED: action('Dispute', 'The decision was executed.'),
  DISPUTE_RESOLUTION_FAILED: action('Dispute', 'The decision could not be executed.'),

  WITHDRAWAL_CREATED: action('Withdrawal', 'A withdrawal was created.'),
  WITHDRAWAL_COMMITTED: action('Withdrawal', 'A withdrawal was confirmed for payout.'),
  WITHDRAWAL_COMMIT_REFUSED: action('Withdrawal', 'A withdrawal was not confirmed: its destination has to wait, or a payout limit was reached.'),
  DESTINATION_TRUSTED: action('Withdrawal', 'Two operators sent a payout to a destination that had to wait; from then on it does not wait for this user.'),
  WITHDRAWAL_PENDING: action('Withdrawal', 'A payout is in transit.'),
  WITHDRAWAL_PENDING_USER_ACTION: action('Withdrawal', 'A withdrawal is waiting for the recipient.'),
  WITHDRAWAL_COMPLETED: action('Withdrawal', 'A withdrawal was paid out.'),
  WITHDRAWAL_FAILED: action('Withdrawal', 'A withdrawal failed; its money is available again.'),
  WITHDRAWAL_CANCELED: action('Withdrawal', 'A withdrawal was canceled.'),
  WITHDRAWAL_MONEY_SUSPENDED: action('Withdrawal', 'The provider paid a different amount than the books have; the difference is in the suspense account.'),

  RECONCILIATION_STARTED: action('ReconciliationRun', 'A reconciliation run started.'),
  RECONCILIATION_DONE: action('ReconciliationRun', 'A reconciliation run ended.'),
  EXCEPTION_OPENED: action('ReconciliationException', 'A reconciliation run found a difference.'),
  EXCEPTION_CLEARED: action('ReconciliationException', 'A later run no longer found the difference.'),
  EXCEPTION_RESOLVED: action('ReconciliationException', 'An exception was resolved, with a reason.'),
  SOLVENCY_BREACHED: action('Solvency', 'Assets and liabilities differed in two consecutive solvency readings.'),
  PAYOUTS_PAUSED: action('Solvency', 'An operator paused payouts, with a reason.'),
  PAYOUTS_RESUME_REQUESTED: action('Solvency', 'A platform admin requested that payouts resume, with a reason; another one has to confirm it.'),
  PAYOUTS_RESUMED: action('Solvency', 'An operator resumed payouts, with a reason.'),
  CAPITAL_RECORDED: action('Solvency', 'Platform capital was recorded.'),

  WEBHOOK_ENDPOINT_CREATED: action('WebhookEndpoint', 'A webhook endpoint was created.'),
  WEBHOOK_ENDPOINT_UPDATED: action('WebhookEndpoint', 'The URL, event types or description of an endpoint changed.'),
  WEBHOOK_ENDPOINT_DISABLED: action('WebhookEndpoint', 'An endpoint was disabled permanently.'),
  WEBHOOK_SECRET_ROTATED: action('WebhookEndpoint', 'The secret of an endpoint was rotated; the old one stays valid until the overlap ends.'),
  WEBHOOK_ENDPOINT_PAUSED: action('WebhookEndpoint', 'An endpoint was paused, with a reason; its pending events are kept.'),
  WEBHOOK_ENDPOINT_RESUMED: action('WebhookEndpoint', 'Delivery resumed after the last delivered event.'),
  WEBHOOK_TEST_SENT: action('WebhookEndpoint', 'A test message was requested.'),
  WEBHOOK_REPLAY_STARTED: action('WebhookEndpoint', 'A replay of events started.'),
  WEBHOOK_EVENTS_MISSED: action('WebhookEndpoint', 'Events expired before they could be delivered.'),

  LAB_STEERED: action('Sandbox', 'The sandbox clock was advanced, or faults were added or cleared, with a reason.'),

  MEMBER_REGISTERED: action('User', 'A member registered through the member API.'),
  MEMBER_PASSWORD_CHANGED: action('User', 'A member changed the password; all tokens ended.'),
  MEMBER_PASSWORD_RESET_ISSUED: action('User', 'A token to set a new password was issued for a member.'),
  MEMBER_PASSWORD_RESET: action('User', 'A member set a new password with a token; all tokens ended.'),
  MEMBER_LOGGED_OUT: action('User', 'All tokens of a member were revoked.'),
  PROJECT_CREATED: action('Project', 'A project was created through the member API.'),
} as const;

export type AuditAction = keyof typeof auditActions;
export type AuditResourceType = (typeof auditActions)[AuditAction]['resourceType'];

export const AUDIT_ACTIONS = Object.keys(auditActions) as readonly AuditAction[];
export const AUDIT_RESOURCE_TYPES = [
  ...new Set(Object.values<AuditActionRow>(auditActions).flatMap(typesOf)),
] as readonly AuditResourceType[];

function typesOf({ resourceType, alsoOf = [] }: AuditActionRow): readonly string[] {
  return [resourceType, ...alsoOf];
}
