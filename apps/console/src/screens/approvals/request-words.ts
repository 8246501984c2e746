//! What was asked for, in words: by the call that waits, and by what was sent with it.
import { FINANCE, SUPPORT } from '@holdfast/contract/roles';
import type { Approval, OperatorRole } from '@holdfast/sdk';
import type { Topic } from '#app/queries.ts';
import { grouped } from '#parts/cents.ts';
import { fieldWords } from '#parts/field-words.ts';
import { wordsOf } from '#parts/state-badge.tsx';

interface Asked {
  readonly title: string;
  /** Who could have asked, and so agrees. */
  readonly roles: readonly OperatorRole[];
  /** What its effect is read from. */
  readonly topic: Topic;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const ASKED: Readonly<Record<string, Asked>> = {
  // Not of the dispute's topic: once it is decided, asking what deciding would do is refused.
  resolveDispute: { title: 'Decide a dispute', roles: SUPPORT, topic: 'Config' },
  releaseOrder: { title: 'Release to the seller', roles: SUPPORT, topic: 'Order' },
  refundOrder: { title: 'Refund the buyer', roles: SUPPORT, topic: 'Order' },
  commitWithdrawal: { title: 'Pay out a withdrawal', roles: FINANCE, topic: 'Withdrawal' },
  creditBalance: { title: 'Credit a balance', roles: FINANCE, topic: 'User' },
  debitBalance: { title: 'Debit a balance', roles: FINANCE, topic: 'User' },
  resolveException: { title: 'Post a difference', roles: FINANCE, topic: 'Reconciliation' },
};

export function titleOf(action: string): string {
  return ASKED[action]?.title ?? fieldWords(action);
}

export type Request = Pick<Approval, 'request' | 'reason' | 'currency'>;

/** What the body says; empty where there is none. */
export function bodyOf({ request }: Pick<Approval, 'request'>): Readonly<Record<string, unknown>> {
  const { body } = request;
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** Whatever was said beside amounts and choices. */
const SAID: readonly string[] = ['note', 'description', 'reference'];

type Row = readonly [name: string, value: string];

/** What somebody wrote into the request; the reason stands above already. */
export function saidIn(asked: Request): readonly Row[] {
  return rowsOf(asked, (name) => SAID.includes(name));
}

/** The rest of the request, one line per field, amounts with their currency. */
export function choicesIn(asked: Request): readonly Row[] {
  return rowsOf(asked, (name) => !SAID.includes(name));
}

function rowsOf(asked: Request, isWanted: (name: string) => boolean): readonly Row[] {
  const { reason, currency } = asked;
  return Object.entries(bodyOf(asked))
    .filter(([name, value]) => isWanted(name) && value !== reason)
    .filter(([name]) => name !== 'reason' && name !== 'currency')
    .map(([name, value]) => [fieldWords(name), textOf(name, value, currency)]);
}

function textOf(name: string, value: unknown, currency: string): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (/amount$/i.test(name)) return `${grouped(value)} ${currency}`;
  return /^[A-Z_]+$/.test(value) ? wordsOf(value) : value;
}
