//! An approval request in words: the call that waits, and the fields of its body.
import { ADMIN, FINANCE, SUPPORT } from '@holdfast/contract/roles';
import type { Approval, OperatorRole } from '@holdfast/sdk';
import type { Topic } from '#app/queries.ts';
import { grouped } from '#parts/money/cents.ts';
import { wordsOf } from '#parts/state-badge.tsx';
import { fieldWords } from '#parts/words/field-words.ts';
import { approvalTitle } from '#parts/words/record-title.ts';

interface ApprovableAction {
  /** The roles that may request it, and so may approve it. */
  readonly roles: readonly OperatorRole[];
  /** What its effect is read from. */
  readonly topic: Topic;
}

/** No role in a marketplace is enough. */
const PLATFORM_ADMINS: readonly OperatorRole[] = [];

// biome-ignore format: a table is the one thing exempt from the line limit.
export const APPROVABLE_ACTIONS: Readonly<Record<string, ApprovableAction>> = {
  // Not of the dispute's topic: once it is decided, a preview of the decision is refused.
  resolveDispute: { roles: SUPPORT, topic: 'Config' },
  releaseOrder: { roles: SUPPORT, topic: 'Order' },
  refundOrder: { roles: SUPPORT, topic: 'Order' },
  commitWithdrawal: { roles: FINANCE, topic: 'Withdrawal' },
  creditBalance: { roles: FINANCE, topic: 'User' },
  debitBalance: { roles: FINANCE, topic: 'User' },
  resolveException: { roles: FINANCE, topic: 'Reconciliation' },
  liftStop: { roles: FINANCE, topic: 'Marketplace' },
  setTerms: { roles: FINANCE, topic: 'Marketplace' },
  writeOffDebt: { roles: FINANCE, topic: 'User' },
  createApiKey: { roles: ADMIN, topic: 'Key' },
  rotateApiKey: { roles: ADMIN, topic: 'Key' },
  setMemberships: { roles: PLATFORM_ADMINS, topic: 'Operator' },
  setOperatorStatus: { roles: PLATFORM_ADMINS, topic: 'Operator' },
  setAdjustmentLimit: { roles: PLATFORM_ADMINS, topic: 'Marketplace' },
  setTreasuryShare: { roles: PLATFORM_ADMINS, topic: 'Marketplace' },
  recordCapital: { roles: PLATFORM_ADMINS, topic: 'Solvency' },
};

export { approvalTitle as titleOf };

export type Request = Pick<Approval, 'request' | 'reason' | 'currency'>;

/** What the body says; empty where there is none. */
export function bodyOf({ request }: Pick<Approval, 'request'>): Readonly<Record<string, unknown>> {
  const { body } = request;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** The free-text fields, beside amounts and choices. */
const TEXT_FIELDS: readonly string[] = ['note', 'description', 'reference'];

type Row = readonly [name: string, value: string];

/** The free texts of the request; its reason is shown above already. */
export function textFieldsIn(request: Request): readonly Row[] {
  return rowsOf(request, (name) => TEXT_FIELDS.includes(name));
}

/** The rest of the request, one line per field, amounts with their currency. */
export function choicesIn(request: Request): readonly Row[] {
  return rowsOf(request, (name) => !TEXT_FIELDS.includes(name));
}

function rowsOf(request: Request, isWanted: (name: string) => boolean): readonly Row[] {
  const { reason, currency } = request;
  return Object.entries(bodyOf(request))
    .filter(([name, value]) => isWanted(name) && value !== reason)
    .filter(([name]) => name !== 'reason' && name !== 'currency')
    .map(([name, value]) => [fieldWords(name), textOf(name, value, currency)]);
}

function textOf(name: string, value: unknown, currency: string | null): string {
  if (Array.isArray(value)) return value.map((one) => textOf(name, one, currency)).join('; ');
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    return fields
      .map(([key, one]) => `${fieldWords(key)} ${textOf(key, one, currency)}`)
      .join(', ');
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/amount$/i.test(name)) return [grouped(value), currency].filter(Boolean).join(' ');
  return /^[A-Z_]+$/.test(value) ? wordsOf(value) : value;
}
