//! The title of a record in a list or a search result, in words.

import { wordsOf } from '#parts/state-badge.tsx';
import { auditWords } from '#parts/words/audit-words.ts';
import { fieldWords } from '#parts/words/field-words.ts';

/** The calls that can need a second approver. */
const APPROVALS: Readonly<Record<string, string>> = {
  resolveDispute: 'Resolve dispute',
  releaseOrder: 'Release to seller',
  refundOrder: 'Refund buyer',
  commitWithdrawal: 'Pay out withdrawal',
  creditBalance: 'Credit balance',
  debitBalance: 'Debit balance',
  resolveException: 'Post difference',
  liftStop: 'Lift stop',
  setTerms: 'Set terms',
  writeOffDebt: 'Write off debt',
  createApiKey: 'Create API key',
  rotateApiKey: 'Rotate API key',
  setMemberships: 'Change roles of an operator',
  setOperatorStatus: 'Enable operator',
  setAdjustmentLimit: 'Increase adjustment limit',
  setTreasuryShare: 'Increase treasury share',
  recordCapital: 'Record capital',
};

export function approvalTitle(action: string): string {
  return (Object.hasOwn(APPROVALS, action) ? APPROVALS[action] : undefined) ?? fieldWords(action);
}

/** As "Create top-up" for create-topup. */
export function operationTitle(kind: string): string {
  return wordsOf(kind.replaceAll('-', '_')).replace(/\btopup\b/, 'top-up');
}

/** Types whose titles people choose: a name in capitals is not a code word. */
const NAMED: ReadonlySet<string> = new Set(['User', 'Order', 'TopUp', 'ApiKey', 'Operator']);
/** A word of the API, such as NOT_DELIVERED. */
const CODE = /^[A-Z_]+$/;

export function recordTitle(type: string, title: string): string {
  if (NAMED.has(type)) return title;
  if (type === 'Approval') return approvalTitle(title);
  if (type === 'Operation') return operationTitle(title);
  if (type === 'AuditEntry') return auditWords(title);
  return type === 'LedgerEntry' || CODE.test(title) ? wordsOf(title) : title;
}
