//! The whole retry policy. A call is repeated by itself only where the contract says that it does
//! no harm; whoever wants more repeats it knowingly, with the key that the error carries.
import type { EndpointFacts, RequestParts } from '#endpoint';
import type { HoldfastError } from '#errors';
import { backoff } from '#platform';

const FIRST_MS = 250;
const MOST_MS = 8_000;
/** Whoever is asked to wait longer than this is told so instead. */
const WAIT_MS_MAX = 60_000;

/** The service says that nothing was done, and that it may work in a moment. */
const NOT_DONE = new Set<string>(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'ENGINE_UNAVAILABLE']);

/** No answer, or none of the service's: nobody can say what became of the call. */
const LOST = new Set<string>(['CONNECTION_FAILED', 'TIMED_OUT', 'UNREADABLE_ANSWER']);

/** What a read may meet besides, and simply try again. */
const READ_AGAIN = new Set<string>(['INTERNAL_ERROR', 'PROVIDER_TIMEOUT']);

export function mayRepeat(
  endpoint: EndpointFacts,
  parts: RequestParts,
  error: HoldfastError,
): boolean {
  if (error.code === 'ABORTED') return false;
  if (NOT_DONE.has(error.code)) return true;
  // Under our key the first request still runs; its answer comes to whoever asks again.
  if (error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS') return true;
  if (LOST.has(error.code)) return error.isOutcomeKnown || isHarmless(endpoint, parts);
  return endpoint.repeat === 'always' && READ_AGAIN.has(error.code);
}

/** Whether a second request can do nothing that the first has not done. */
function isHarmless({ repeat, reference = '' }: EndpointFacts, { body }: RequestParts): boolean {
  if (repeat !== 'referenced') return repeat === 'always' || repeat === 'keyed';
  return (body as Readonly<Record<string, unknown>> | undefined)?.[reference] !== undefined;
}

/** Milliseconds before the next attempt; undefined when the service asks for too long a wait. */
export function pauseBefore(attempt: number, error: HoldfastError): number | undefined {
  const asked = error.retryAfterMs ?? 0;
  if (asked > WAIT_MS_MAX) return undefined;
  // A little more than asked: those who were refused together need not come back together.
  return asked + backoff(attempt, FIRST_MS, asked > 0 ? FIRST_MS : MOST_MS);
}
