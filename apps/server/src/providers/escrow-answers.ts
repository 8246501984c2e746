//! What the escrow provider's answers mean to us: one table of its sentences, and of one status.
//!
//! Contract rules arrive as English sentences under several HTTP statuses, so the sentence decides.
//! What has no row is unclear, and unclear is never a refusal; a list of what is wrong with a body
//! needs no row.
import { type Answer, isAnswer, type Silence } from './exchange.ts';

interface Row {
  /** Part of the sentence, in lower case. */
  readonly says: string;
  /**
   * Our name for it, which callers branch on; `already-…` means: read the flags, it may be ours.
   */
  readonly code: string;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
const SENTENCES: readonly Row[] = [
  { says: 'no escrow found for contract id', code: 'not-found' },
  { says: 'escrow not found', code: 'not-found' },

  { says: 'cannot approve a milestone that has already been approved', code: 'already-approved' },
  { says: 'the escrow funds have been released', code: 'already-released' },
  { says: 'milestone is already released', code: 'already-released' },
  { says: 'is already resolved', code: 'already-resolved' },
  { says: 'already in dispute', code: 'already-disputed' },
  { says: 'escrow already initialized', code: 'already-deployed' },

  { says: 'opened for dispute resolution', code: 'in-dispute' },
  { says: 'escrow not in dispute', code: 'not-disputed' },
  { says: 'milestone not in dispute', code: 'not-disputed' },
  { says: 'must be completed to release', code: 'not-approved' },
  { says: 'the milestone status cannot be empty', code: 'not-completed' },

  { says: 'insufficient funds to fund', code: 'insufficient-funds' },
  { says: 'insufficient funds for resolution', code: 'insufficient-balance' },
  { says: 'escrow balance must be equal to the amount of earnings', code: 'insufficient-balance' },
  { says: 'sum of distributions must equal the current escrow balance', code: 'sum-is-not-balance' },
  { says: 'must not exceed the amount defined for this milestone', code: 'sum-above-milestone' },
  { says: 'total amount to be distributed cannot be equal to zero', code: 'amount-invalid' },
  { says: 'do not match the stored escrow', code: 'terms-differ' },

  { says: 'amount cannot be', code: 'amount-invalid' },
  { says: 'none of the amounts to be transferred', code: 'amount-invalid' },
  { says: 'platform fee cannot exceed', code: 'fee-invalid' },
  { says: 'initialized without milestone', code: 'milestones-invalid' },
  { says: 'more than 50 milestones', code: 'milestones-invalid' },
  { says: 'more than 50 distributions', code: 'milestones-invalid' },
  { says: 'invalid milestone index', code: 'milestones-invalid' },
  { says: 'must be false in order to execute', code: 'flags-set' },

  { says: 'only the service provider can', code: 'wrong-role' },
  { says: 'only the approver can', code: 'wrong-role' },
  { says: 'only the release signer can', code: 'wrong-role' },
  { says: 'only the dispute resolver can', code: 'wrong-role' },
  { says: 'not authorized to change the dispute flag', code: 'wrong-role' },
  { says: 'the dispute resolver cannot', code: 'wrong-role' },

  { says: 'is not an instance of this escrow contract', code: 'wrong-kind' },
  { says: 'duplicate addresses', code: 'malformed' },
  { says: 'trustline', code: 'no-trustline' },
  { says: 'account not found', code: 'no-such-account' },
  { says: 'account does not exist', code: 'no-such-account' },
  { says: 'should not exist', code: 'malformed' },
  { says: 'parameter is required', code: 'malformed' },
  { says: 'must be a ', code: 'malformed' },
  { says: 'must be an ', code: 'malformed' },
  { says: 'should not be empty', code: 'malformed' },
];

export type Judged =
  | { readonly kind: 'good'; readonly json: unknown }
  | { readonly kind: 'no'; readonly code: string; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };

const MALFORMED = 400;
const UNAUTHORISED = 401;
const TOO_MANY = 429;

export function judgeEscrow(result: Answer | Silence): Judged {
  if (!isAnswer(result)) return { kind: 'unclear', reason: result.reason };
  const { status, json } = result;
  const sentence = sentenceOf(json);
  const reason = `${status}: ${sentence.slice(0, 300)}`;
  if (status >= 200 && status < 300 && !isFailed(json)) return { kind: 'good', json };
  if (status === TOO_MANY) return { kind: 'unclear', reason };
  if (status === UNAUTHORISED) return { kind: 'no', code: 'unauthorised', reason };
  const spoken = sentence.toLowerCase();
  const row = SENTENCES.find(({ says }) => spoken.includes(says));
  const code = row?.code ?? (isListOfFaults(result) ? 'malformed' : undefined);
  return code === undefined ? { kind: 'unclear', reason } : { kind: 'no', code, reason };
}

/** Only its check of a body's form says its faults in a list, and says the same each time. */
function isListOfFaults({ status, json }: Answer): boolean {
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
