//! Title and advice for each error code, addressed to the operator.
import { type HoldfastError, type HoldfastFailure, isHoldfastError } from '@holdfast/sdk';
import { plainWords } from '#parts/words/plain-words.ts';

export interface ErrorWords {
  readonly title: string;
  readonly advice: string;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
}

/** Where the service's message is addressed to programs. */
const TITLES: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Your session has ended.',
  CSRF_REQUIRED: 'The page is out of date.',
  CURSOR_EXPIRED: 'Events this old are no longer stored.',
  RECOVERING: 'The database is being recovered; changes are not possible now.',
  ENGINE_UNAVAILABLE: 'Holdfast cannot process payments at the moment.',
  CONNECTION_FAILED: 'Could not reach Holdfast.',
  TIMED_OUT: 'Holdfast did not respond in time.',
};

const ROLE_ADVICE = 'Your role does not allow this action. Ask an operator with the required role.';
const LOCKED_ADVICE =
  'After 5 wrong codes in a row, your account is locked for a while, up to 60 minutes.';

const CONSOLE_ADVICE: Readonly<Record<string, string>> = {
  SIGN_IN_REFUSED: `Check your entries and use your current two-factor code. Each code works once. ${LOCKED_ADVICE}`,
  UNAUTHORIZED: 'Reload the page and sign in again.',
  CSRF_REQUIRED: 'Reload the page and try again.',
  OPERATOR_EXISTS: 'Open the existing operator and change their roles.',
  OPERATOR_ROLE_REQUIRED: ROLE_ADVICE,
  INSUFFICIENT_SCOPE: ROLE_ADVICE,
  INVALID_STATE:
    'The record does not allow this action, or has changed since this page loaded. Reload the page to see its latest status.',
  SECOND_APPROVER_REQUIRED: 'You cannot approve your own request. Ask another operator.',
  APPROVER_TOO_NEW:
    'Your account is new. For 24 hours after its activation, another operator has to decide.',
  INVITATION_INVALID:
    'Ask a platform admin for a new link. If you have not used this one, say so: another person may have.',
  CONFIRMATION_CODE_INVALID:
    'Ask the person for the code again. After 5 wrong codes a reset and a new link are needed.',
  PLATFORM_ADMIN_REQUIRED: 'The master key cannot do this. Ask a platform admin.',
  PROVIDER_TIMEOUT:
    'Do not repeat the action. Holdfast is checking with the provider; see Operations for the result.',
  PAYOUTS_PAUSED: 'Payouts resume, and stops are lifted, on the Solvency page.',
  MARKETPLACE_FROZEN:
    'No money can move while the marketplace is stopped. Stops are lifted on the Solvency page.',
  RATE_LIMITED: 'Too many requests. Try again in a moment.',
  CONNECTION_FAILED: 'Check your connection, then try again.',
  REASON_REQUIRED: 'Enter a reason for the audit log.',
  USER_NOT_ACTIVE: 'Unfreeze the user, then try again.',
  DISPUTE_ALREADY_OPEN: 'Resolve the open dispute instead: the decision closes the order.',
  CURSOR_EXPIRED: 'Choose a later time. Events are kept for 30 days by default.',
  STATEMENT_TOO_LONG: 'Choose a shorter period.',
  WEBHOOK_LIMIT: 'Disable an endpoint that is no longer needed, or wait until a replay ends.',
  DESTINATION_COOLING:
    'Pay out later, or now with the approval of a second operator. Check with the user first that the destination is theirs.',
  LIMIT_REACHED:
    'Pay out later, or now with the approval of a second operator. Check first that the payouts of the last 24 hours are genuine.',
  ADJUSTMENT_LIMIT: 'Ask a platform admin to increase the adjustment limit of the marketplace.',
};

const BY_RULE: Readonly<Record<HoldfastFailure['retry'], string>> = {
  never:
    'This action cannot be completed. If you need help, contact the team that runs your Holdfast server and quote the request ID.',
  'after-fixing': 'Correct your input and try again.',
  later: 'No change was made. Try again in a moment.',
  'check-first': 'The outcome is unknown. Check the result before you try again.',
};

/** Calls whose response was lost may have been carried out, regardless of the code. */
const LOST: ReadonlySet<string> = new Set(['CONNECTION_FAILED', 'TIMED_OUT']);
const LOST_ADVICE =
  'The action may have been carried out. Check your connection, then check the result before you try again.';

/** The SDK starts its message with the call; the reader of a page knows the call. */
const CALL = /^[A-Z]+ \/\S*: /;
const READ = /^GET /;
const SIGN_IN = /^POST \/\S*sign-in: /;
const PASSWORD = /^POST \/\S*password: /;

export function errorWords(error: unknown): ErrorWords {
  if (isHoldfastError(error)) {
    const { code, requestId } = error;
    return { title: titleOf(error), advice: adviceOf(error), code, requestId };
  }
  return {
    title: 'Something went wrong on this page',
    advice:
      'Reload the page. If the error persists, contact the team that runs your Holdfast server.',
    code: undefined,
    requestId: undefined,
  };
}

function titleOf(error: HoldfastFailure): string {
  const { code, message, status, details } = error;
  if (code === 'SIGN_IN_REFUSED' && PASSWORD.test(message))
    return 'Your current password or two-factor code is invalid.';
  if (isWrongCode(error)) return 'Your two-factor code is invalid.';
  if (code === 'UNREADABLE_RESPONSE')
    return `Unexpected response (HTTP ${status}), possibly from a proxy.`;
  const own = Object.hasOwn(TITLES, code) ? TITLES[code] : undefined;
  if (own !== undefined) return own;
  const text = message.replace(CALL, '');
  const { reason, operationId } = details as { reason?: unknown; operationId?: unknown };
  if (typeof reason !== 'string' || code === 'INVALID_STATE' || text.includes(reason))
    return plainWords(text);
  // A provider's rejection has an operation; a check before it has none.
  const what =
    operationId === undefined
      ? 'The request could not be executed'
      : 'The provider rejected the request';
  const start = code === 'INTERNAL_ERROR' ? what : text.replace(/\.$/, '');
  return plainWords(`${start}: ${reason.replace(/\.$/, '')}.`);
}

function adviceOf(error: HoldfastFailure): string {
  const { code, retry } = error;
  if (isWrongCode(error))
    return `Enter a new code from your authenticator app. Each code works once. ${LOCKED_ADVICE}`;
  if (LOST.has(code) && retry === 'check-first') return LOST_ADVICE;
  if (error.code === 'INTERNAL_ERROR') return internalAdvice(error);
  const own = Object.hasOwn(CONSOLE_ADVICE, code) ? CONSOLE_ADVICE[code] : undefined;
  return own ?? BY_RULE[retry] ?? '';
}

/** The code alone does not say whether a change was made. */
function internalAdvice({ message, retry, details }: HoldfastError<'INTERNAL_ERROR'>): string {
  if (retry === 'check-first') return BY_RULE[retry];
  if (details.operationId !== undefined) return 'The action was rolled back. Try again later.';
  if (details.reason !== undefined)
    return 'No change was made. Resolve the stated problem, then try again.';
  if (READ.test(message)) return 'Try again in a moment.';
  return 'The outcome may be unknown. Check the record before you try again.';
}

/** An action that needs a fresh code; the form has no email address or password of the operator. */
function isWrongCode({ code, message }: HoldfastFailure): boolean {
  return code === 'SIGN_IN_REFUSED' && !SIGN_IN.test(message) && !PASSWORD.test(message);
}
