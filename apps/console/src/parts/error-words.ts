//! What to do about an error, in the words of whoever has to do it.
import { type HoldfastFailure, isHoldfastError } from '@holdfast/sdk';

export interface ErrorWords {
  readonly title: string;
  readonly advice: string;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  SIGN_IN_REFUSED: 'Check what you typed, and take the code of this moment: each works once.',
  OPERATOR_EXISTS:
    'Somebody has this address already: find them in the list and change their roles.',
  OPERATOR_ROLE_REQUIRED:
    'Your role here does not allow this. Somebody with another role can do it.',
  FORBIDDEN: 'Your role here does not allow this. Somebody with another role can do it.',
  INSUFFICIENT_SCOPE: 'Your role here does not allow this. Somebody with another role can do it.',
  INVALID_STATE: 'It has moved on since this page was read. Look at its state now.',
  SECOND_PERSON_REQUIRED: 'Whoever asked for it cannot agree to it. Another person has to.',
  PROVIDER_TIMEOUT:
    'The outcome is not known yet. It is being looked up; do not do it again. See Operations.',
  PAYOUTS_PAUSED: 'Pay-outs are paused. A platform admin resumes them on the Solvency screen.',
  MARKETPLACE_FROZEN: 'The marketplace is frozen: no money moves until an admin lifts that.',
  RATE_LIMITED: 'Too many requests. It works again in a moment.',
  CONNECTION_FAILED: 'The service did not answer. Check your connection, then try again.',
  TIMED_OUT: 'No answer came in time. Look whether it was done before you do it again.',
  REASON_REQUIRED: 'Say why: it is written to the audit log.',
};

const BY_RULE: Readonly<Record<HoldfastFailure['retry'], string>> = {
  never: 'Doing it again will not help.',
  'after-fixing': 'Correct what is said above and try again.',
  later: 'Nothing was done. Try again in a moment.',
  'look-first': 'It is not known whether it was done: look before you do it again.',
};

/** The SDK says first which call it was; whoever reads a page knows that. */
const CALL = /^[A-Z]+ \/\S*: /;

export function errorWords(error: unknown): ErrorWords {
  if (isHoldfastError(error)) {
    const { message, code, requestId, retry } = error;
    const title = message.replace(CALL, '');
    return { title, advice: ADVICE[code] ?? BY_RULE[retry] ?? '', code, requestId };
  }
  return {
    title: error instanceof Error ? error.message : 'Something went wrong on this page',
    advice: 'Reload the page. If it happens again, tell whoever runs the service.',
    code: undefined,
    requestId: undefined,
  };
}
