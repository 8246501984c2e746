//! The actions of the audit log in words, each with the record that it is about.

/** Where the words of the action's name would not be understood. */
const LABELS: Readonly<Record<string, string>> = {
  BALANCE_UNRESERVED: 'Reservation released',
  DISPUTE_DECISION_CLAIMED: 'Dispute decision made',
  ESCROW_CREATE_FAILED: 'Escrow creation failed',
  ESCROW_CREATE_REQUESTED: 'Escrow creation started',
  LAB_STEERED: 'Sandbox changed',
  LEDGER_ADDRESS_LINKED: 'Blockchain address linked',
  MIRROR_DIFFERENCE_RECORDED: 'Address difference found',
  MIRROR_TRANSFER_ESCALATED: 'Address transfer escalated',
  OPERATOR_MEMBERSHIP_SET: 'Operator roles changed',
  OPERATOR_STATUS_SET: 'Operator enabled or disabled',
  ACTIVATION_REFUSED: 'Operator activation refused',
  RESERVED_SPENT: 'Deducted from reservation',
  MONEY_CONFIRMED: 'Money confirmed by the payment provider',
  WITHDRAWAL_RETAKEN: 'Money of a paid withdrawal taken again',
  TOPUP_CONTRADICTED: 'Top-up reversed by provider',
  TOPUP_MONEY_SUSPENDED: 'Top-up payment moved to suspense',
  WEBHOOK_PARKED: 'Provider notification needs review',
  WEBHOOK_RERUN: 'Provider notification processed again',
  WITHDRAWAL_COMMITTED: 'Withdrawal confirmed',
  WITHDRAWAL_COMMIT_REFUSED: 'Withdrawal not confirmed: limit or new destination',
  DESTINATION_TRUSTED: 'Payout destination trusted',
  WITHDRAWAL_MONEY_SUSPENDED: 'Withdrawal difference moved to suspense',
};

/** As "Top-up created" for TOPUP_CREATED: of three records created, it says which. */
export function auditWords(action: string): string {
  const label = Object.hasOwn(LABELS, action) ? LABELS[action] : undefined;
  if (label !== undefined) return label;
  const words = action.replaceAll('_', ' ').toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1))
    .replace(/^Api\b/, 'API')
    .replace(/^Topup\b/, 'Top-up');
}
