//! Every action the audit log can hold, with the resource it is about. Rows are never changed.

export interface AuditActionRow {
  readonly resourceType: string;
  readonly means: string;
  /** What else it can be about. */
  readonly alsoOf?: readonly string[];
}

function action<const R extends string>(resourceType: R, means: string) {
  return { resourceType, means } satisfies AuditActionRow;
}

/** Of whatever is driven by operations, or told about by a provider. */
function actionOnAny<const R extends string>(resourceTypes: readonly [R, ...R[]], means: string) {
  const [resourceType, ...alsoOf] = resourceTypes;
  return { resourceType, alsoOf, means } satisfies AuditActionRow;
}

/** What operations drive. */
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
  MARKETPLACE_CREATED: action('Marketplace', 'A marketplace was made.'),
  ADJUSTMENT_LIMIT_SET: action('Marketplace', 'The limit on credits and debits was set.'),
  TREASURY_SHARE_SET: action('Marketplace', "The marketplace's share of the treasury was set."),
  TREASURY_SHARE_USED_UP: action('Marketplace', 'Addresses wait for a larger share of the treasury.'),
  MARKETPLACE_FROZEN: action('Marketplace', 'Money of the marketplace was stopped.'),
  MARKETPLACE_UNFROZEN: action('Marketplace', 'Money of the marketplace moves again.'),

  OPERATOR_CREATED: action('Operator', 'An operator was made.'),
  OPERATOR_MEMBERSHIP_SET: action('Operator', 'An operator was given a role in the marketplace, or lost it.'),
  OPERATOR_STATUS_SET: action('Operator', 'An operator was disabled, or let in again.'),
  OPERATOR_TOTP_RESET: action('Operator', 'An operator got a new secret for codes; the old one is worth nothing.'),
  OPERATOR_PASSWORD_CHANGED: action('Operator', 'An operator chose another password; all other sessions ended.'),
  OPERATOR_SIGNED_IN: action('Operator', 'An operator signed in.'),
  OPERATOR_LOCKED: action('Operator', 'An operator showed too many wrong codes in a row and can sign in again later.'),
  OPERATOR_SIGNED_OUT: action('Operator', 'An operator signed out.'),
  APPROVAL_REQUESTED: action('Approval', 'An operator asked for what needs a second person; the reason stands here.'),
  APPROVAL_APPROVED: action('Approval', 'A second person agreed.'),
  APPROVAL_REJECTED: action('Approval', 'A second person did not agree; the reason stands here.'),
  APPROVAL_EXPIRED: action('Approval', 'Nobody decided in time.'),
  APPROVAL_EXECUTED: action('Approval', 'What was approved was carried out.'),
  APPROVAL_FAILED: action('Approval', 'What was approved was refused when it was carried out.'),

  API_KEY_CREATED: action('ApiKey', 'A key was made.'),
  API_KEY_REVOKED: action('ApiKey', 'A key was taken back.'),
  API_KEY_ROTATED: action('ApiKey', 'A key got a successor and an end.'),
  TOKEN_ISSUED: action('ApiKey', 'A short-lived token was made for a key.'),

  USER_CREATED: action('User', 'A user was created.'),
  USER_REGISTERED: action('User', 'A person registered on Surface B.'),
  PAYMENT_ACCOUNT_LINKED: action('User', 'The account at the payment provider was linked.'),
  LEDGER_ADDRESS_LINKED: action('User', 'The user got an address on the ledger network.'),
  WALLET_CONNECTED: action('User', 'A person connected a wallet of their own.'),
  USER_FROZEN: action('User', 'A user was frozen; the reason stands here.'),
  USER_UNFROZEN: action('User', 'A frozen user may act again; the reason stands here.'),
  PERSONAL_DATA_REVEALED: actionOnAny(['User', 'Withdrawal'], 'Somebody looked at the personal data of a user, or of whom a withdrawal pays; the reason stands here.'),

  BALANCE_CREDITED: action('Balance', 'Money was credited.'),
  BALANCE_DEBITED: action('Balance', 'Money was debited.'),
  BALANCE_RESERVED: action('Balance', 'Money was set aside by hand.'),
  BALANCE_UNRESERVED: action('Balance', 'Money set aside by hand became available again.'),
  RESERVED_SPENT: action('Balance', 'Money set aside by hand was consumed.'),
  RESERVATIONS_CANCELED: action('Balance', 'All manual reservations of an order were given back.'),
  BALANCE_SYNCED: action('Balance', 'Books and network were compared, and a difference posted.'),
  BALANCE_DIFFERENCE_RAISED: action('Balance', 'A difference too large to post was reported.'),
  MIRROR_TRANSFER_RAISED: action('Balance', "A transfer that brings an address to its books failed, and needs an operator."),
  MIRROR_DIFFERENCE_NOTED: action('Balance', 'An address holds what nothing known explains, or a payment left it that nobody here signed.'),
  DEPOSIT_CREDITED: action('Balance', 'A deposit on the ledger network was credited.'),

  TOPUP_CREATED: action('TopUp', 'A top-up was asked for.'),
  TOPUP_AWAITING_USER_CONFIRMATION: action('TopUp', 'The pay page of a top-up is ready.'),
  TOPUP_PROCESSING: action('TopUp', 'The payment provider works on a top-up.'),
  TOPUP_SUCCEEDED: action('TopUp', 'A top-up came in.'),
  TOPUP_FAILED: action('TopUp', 'A top-up did not come in.'),
  TOPUP_CANCELED: action('TopUp', 'A top-up was canceled.'),
  TOPUP_MONEY_SUSPENDED: action('TopUp', 'Money that fits no open top-up went to suspense.'),
  TOPUP_CONTRADICTED: action('TopUp', 'The provider takes back what it said; suspense has the difference.'),

  ORDER_CREATED: action('Order', 'An order was created.'),
  ORDER_FUNDS_RESERVED: action('Order', "The buyer's money was set aside."),
  ORDER_CANCELED: action('Order', 'An order was canceled.'),
  MILESTONE_COMPLETED: action('Order', 'A milestone was completed.'),
  ESCROW_CREATE_REQUESTED: action('Order', 'The deployment of a contract began.'),
  ESCROW_CREATED: action('Order', 'The contract is deployed.'),
  ESCROW_CREATE_FAILED: action('Order', 'The deployment was refused; the order went back.'),
  ESCROW_FUNDING_STARTED: action('Order', 'The reservation was consumed and the funding began.'),
  ESCROW_FUNDED: action('Order', 'The contract holds the money.'),
  ESCROW_FUNDING_FAILED: action('Order', 'The funding was refused; the order went back.'),
  ESCROW_FOUND_DISPUTED: action('Order', 'The network shows the contract as disputed.'),
  RELEASE_REQUESTED: action('Order', 'Paying the seller began; the reason stands here.'),
  ORDER_RELEASED: action('Order', 'The seller was paid.'),
  RELEASE_FAILED: action('Order', 'Paying the seller was refused; the order went back.'),
  REFUND_REQUESTED: action('Order', 'Paying the buyer back began; the reason stands here.'),
  ORDER_REFUNDED: action('Order', 'The buyer was paid back.'),
  REFUND_FAILED: action('Order', 'Paying the buyer back was refused; the order went back.'),
  WEBHOOK_PARKED: actionOnAny(['Order', 'TopUp', 'Withdrawal'], 'A signed notice that fits nothing needs an operator.'),
  OPERATION_RAISED: actionOnAny(OPERATED_TYPES, 'An operation that only goes forward needs an operator.'),

  OPERATION_HASTENED: actionOnAny(OPERATED_TYPES, 'Somebody had the provider asked at once; the reason stands here.'),
  WEBHOOK_RERUN: action('ProviderNotice', 'Somebody had a notice of a provider applied again; the reason stands here.'),

  DISPUTE_OPENED: action('Dispute', 'A dispute was opened.'),
  DISPUTE_ASSIGNED: action('Dispute', 'An agent took a dispute up.'),
  DISPUTE_NOTED: action('Dispute', 'An internal note was written on a dispute.'),
  DISPUTE_EVIDENCE_ADDED: action('Dispute', 'A side said something more about a dispute.'),
  DISPUTE_DECISION_CLAIMED: action('Dispute', 'A decision was made and is carried out.'),
  DISPUTE_RESOLVED: action('Dispute', 'The decision was carried out.'),
  DISPUTE_RESOLUTION_FAILED: action('Dispute', 'Carrying the decision out was refused.'),

  WITHDRAWAL_CREATED: action('Withdrawal', 'A withdrawal was asked for.'),
  WITHDRAWAL_COMMITTED: action('Withdrawal', 'A withdrawal was confirmed.'),
  WITHDRAWAL_PENDING: action('Withdrawal', 'A pay-out is on its way.'),
  WITHDRAWAL_PENDING_USER_ACTION: action('Withdrawal', 'The recipient must do something.'),
  WITHDRAWAL_COMPLETED: action('Withdrawal', 'A withdrawal was paid out.'),
  WITHDRAWAL_FAILED: action('Withdrawal', 'A withdrawal failed; its money was given back.'),
  WITHDRAWAL_CANCELED: action('Withdrawal', 'A withdrawal was canceled.'),
  WITHDRAWAL_MONEY_SUSPENDED: action('Withdrawal', 'The provider paid more or less than the books had; suspense bears it.'),

  RECONCILIATION_STARTED: action('ReconciliationRun', 'A comparison with a provider or the network began.'),
  RECONCILIATION_DONE: action('ReconciliationRun', 'A comparison ended; its figures stand here.'),
  EXCEPTION_OPENED: action('ReconciliationException', 'A comparison found a difference.'),
  EXCEPTION_CLEARED: action('ReconciliationException', 'A comparison no longer sees the difference.'),
  EXCEPTION_RESOLVED: action('ReconciliationException', 'A difference was dealt with; the reason stands here.'),
  SOLVENCY_BREACHED: action('Solvency', 'What is there and what is owed differed in two readings in a row.'),
  PAYOUTS_RESUMED: action('Solvency', 'An operator let withdrawals go out again; the reason stands here.'),
  CAPITAL_RECORDED: action('Solvency', 'Capital of the house was recorded.'),

  WEBHOOK_ENDPOINT_CREATED: action('WebhookEndpoint', 'An endpoint for webhooks was made.'),
  WEBHOOK_ENDPOINT_UPDATED: action('WebhookEndpoint', 'Address, types or description of an endpoint were changed.'),
  WEBHOOK_ENDPOINT_DISABLED: action('WebhookEndpoint', 'An endpoint was taken out of use for good.'),
  WEBHOOK_SECRET_ROTATED: action('WebhookEndpoint', 'An endpoint got a new secret; the old one signs too for a while.'),
  WEBHOOK_ENDPOINT_PAUSED: action('WebhookEndpoint', 'Nothing is sent until an operator resumes; the backlog is kept. The reason stands here.'),
  WEBHOOK_ENDPOINT_RESUMED: action('WebhookEndpoint', 'Sending goes on behind the last delivered event.'),
  WEBHOOK_TEST_SENT: action('WebhookEndpoint', 'A test message was asked for.'),
  WEBHOOK_REPLAY_STARTED: action('WebhookEndpoint', 'Events are sent once more, in a pass of their own.'),
  WEBHOOK_EVENTS_MISSED: action('WebhookEndpoint', 'Events were forgotten before they could be delivered.'),

  LAB_STEERED: action('Sandbox', 'Somebody told the sandbox to set its clock forward, or to arm or clear faults; the reason stands here.'),

  MEMBER_REGISTERED: action('User', 'A person registered on Surface B.'),
  MEMBER_LOGGED_OUT: action('User', 'All tokens of a member were ended.'),
  PROJECT_CREATED: action('Project', 'A project was created on Surface B.'),
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
