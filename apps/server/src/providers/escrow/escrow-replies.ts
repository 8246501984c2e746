//! Interprets the escrow provider's replies: one table of its sentences, and of one status.
//!
//! Contract rules arrive as English sentences under several HTTP statuses, so the sentence decides.
//! A reply without a row is unclear, and an unclear reply is never a refusal. A list of a body's
//! faults needs no row.
import { type HttpReply, isReply, type NoReply } from '../provider-http.ts';

interface Row {
  /** Part of the sentence, in lower case. */
  readonly phrase: string;
  /**
   * Our name for it, which callers branch on. After `already-…` read the flags: the effect may be
   * ours.
   */
  readonly code: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const SENTENCES: readonly Row[] = [
  { phrase: 'no escrow found for contract id', code: 'not-found' },
  { phrase: 'escrow not found', code: 'not-found' },

  { phrase: 'cannot approve a milestone that has already been approved', code: 'already-approved' },
  { phrase: 'the escrow funds have been released', code: 'already-released' },
  { phrase: 'milestone is already released', code: 'already-released' },
  { phrase: 'is already resolved', code: 'already-resolved' },
  { phrase: 'already in dispute', code: 'already-disputed' },
  { phrase: 'escrow already initialized', code: 'already-deployed' },

  { phrase: 'opened for dispute resolution', code: 'in-dispute' },
  { phrase: 'escrow not in dispute', code: 'not-disputed' },
  { phrase: 'milestone not in dispute', code: 'not-disputed' },
  { phrase: 'must be completed to release', code: 'not-approved' },
  { phrase: 'the milestone status cannot be empty', code: 'not-completed' },

  { phrase: 'insufficient funds to fund', code: 'insufficient-funds' },
  { phrase: 'insufficient funds for resolution', code: 'insufficient-balance' },
  { phrase: 'escrow balance must be equal to the amount of earnings', code: 'insufficient-balance' },
  { phrase: 'sum of distributions must equal the current escrow balance', code: 'sum-is-not-balance' },
  { phrase: 'must not exceed the amount defined for this milestone', code: 'sum-above-milestone' },
  { phrase: 'total amount to be distributed cannot be equal to zero', code: 'amount-invalid' },
  { phrase: 'do not match the stored escrow', code: 'terms-differ' },

  { phrase: 'amount cannot be', code: 'amount-invalid' },
  { phrase: 'none of the amounts to be transferred', code: 'amount-invalid' },
  { phrase: 'platform fee cannot exceed', code: 'fee-invalid' },
  { phrase: 'initialized without milestone', code: 'milestones-invalid' },
  { phrase: 'more than 50 milestones', code: 'milestones-invalid' },
  { phrase: 'more than 50 distributions', code: 'milestones-invalid' },
  { phrase: 'invalid milestone index', code: 'milestones-invalid' },
  { phrase: 'must be false in order to execute', code: 'flags-set' },

  { phrase: 'only the service provider can', code: 'wrong-role' },
  { phrase: 'only the approver can', code: 'wrong-role' },
  { phrase: 'only the release signer can', code: 'wrong-role' },
  { phrase: 'only the dispute resolver can', code: 'wrong-role' },
  { phrase: 'not authorized to change the dispute flag', code: 'wrong-role' },
  { phrase: 'the dispute resolver cannot', code: 'wrong-role' },

  { phrase: 'is not an instance of this escrow contract', code: 'wrong-kind' },
  { phrase: 'duplicate addresses', code: 'malformed' },
  { phrase: 'trustline', code: 'no-trustline' },
  { phrase: 'account not found', code: 'no-such-account' },
  { phrase: 'account does not exist', code: 'no-such-account' },
  { phrase: 'should not exist', code: 'malformed' },
  { phrase: 'parameter is required', code: 'malformed' },
  { phrase: 'must be a ', code: 'malformed' },
  { phrase: 'must be an ', code: 'malformed' },
  { phrase: 'should not be empty', code: 'malformed' },
];

export type ProviderReply =
  | { readonly kind: 'good'; readonly json: unknown }
  | { readonly kind: 'no'; readonly code: string; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

const MALFORMED = 400;
const UNAUTHORISED = 401;
const TOO_MANY = 429;

export function readEscrowReply(result: HttpReply | NoReply): ProviderReply {
  if (!isReply(result)) return { kind: 'unclear', reason: result.reason };
  const { status, json } = result;
  const sentence = sentenceOf(json);
  const reason = `${status}: ${sentence.slice(0, 300)}`;
  if (status >= 200 && status < 300 && !isFailed(json)) return { kind: 'good', json };
  if (status === TOO_MANY) return { kind: 'unclear', reason };
  if (status === UNAUTHORISED) return { kind: 'no', code: 'unauthorised', reason };
  const spoken = sentence.toLowerCase();
  const row = SENTENCES.find(({ phrase }) => spoken.includes(phrase));
  const code = row?.code ?? (isListOfFaults(result) ? 'malformed' : undefined);
  return code === undefined ? { kind: 'unclear', reason } : { kind: 'no', code, reason };
}

/** Only the provider's check of a body's form returns its faults as a list, the same each time. */
function isListOfFaults({ status, json }: HttpReply): boolean {
  return status === MALFORMED && Array.isArray((json as { message?: unknown } | null)?.message);
}

/** Some failures arrive under 200. */
function isFailed(json: unknown): boolean {
  const { status } = (json ?? {}) as { status?: unknown };
  return typeof status === 'string' && status.toUpperCase() === 'FAILED';
}

/** One sentence, or a list of them. */
function sentenceOf(json: unknown): string {
  const { message } = (json ?? {}) as { message?: unknown };
  return Array.isArray(message) ? message.join('; ') : typeof message === 'string' ? message : '';
}
