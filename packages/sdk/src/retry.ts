//! The whole retry policy. A call is repeated automatically only where the contract says that this
//! is harmless. In other cases the caller decides, and repeats with the key in the error.
import type { EndpointFacts, RequestParts } from '#endpoint';
import type { HoldfastError } from '#errors';
import { backoff } from '#platform';

const FIRST_MS = 250;
const MOST_MS = 8_000;
/** A longer wait is not made: the error is thrown to the caller instead. */
const WAIT_MS_MAX = 60_000;

/** The service says that nothing was done, and that it may work in a moment. */
const NOT_DONE = new Set<string>([
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'ENGINE_UNAVAILABLE',
  'RECOVERING',
]);

/** No response, or none of the service's: the outcome of the call is unknown. */
const LOST = new Set<string>(['CONNECTION_FAILED', 'TIMED_OUT', 'UNREADABLE_RESPONSE']);

/** Further errors after which a read is repeated. */
const READ_AGAIN = new Set<string>(['INTERNAL_ERROR', 'PROVIDER_TIMEOUT']);

export function mayRepeat(
  endpoint: EndpointFacts,
  parts: RequestParts,
  error: HoldfastError,
): boolean {
  if (error.code === 'ABORTED') return false;
  if (NOT_DONE.has(error.code)) return true;
  // Under our key the first request still runs; a repeat gets its response.
  if (error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS') return true;
  if (LOST.has(error.code)) return error.isOutcomeKnown || isHarmless(endpoint, parts);
  return endpoint.repeat === 'always' && READ_AGAIN.has(error.code);
}

/** Whether the service returned the outcome: the first attempt's too, since both have one key. */
export function isDecisive({ code }: HoldfastError): boolean {
  const isOpen = LOST.has(code) || NOT_DONE.has(code);
  return !isOpen && code !== 'ABORTED' && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS';
}

/** Whether a second request can do nothing that the first has not done. */
function isHarmless({ repeat, reference = '' }: EndpointFacts, { body }: RequestParts): boolean {
  if (repeat !== 'referenced') return repeat === 'always' || repeat === 'keyed';
  return (body as Readonly<Record<string, unknown>> | undefined)?.[reference] !== undefined;
}

/** Milliseconds before the next attempt; undefined when the service requests too long a wait. */
export function pauseBefore(attempt: number, error: HoldfastError): number | undefined {
  const requestedMs = error.retryAfterMs ?? 0;
  if (requestedMs > WAIT_MS_MAX) return undefined;
  // A little more than requested: callers refused together need not come back together.
  return requestedMs + backoff(attempt, FIRST_MS, requestedMs > 0 ? FIRST_MS : MOST_MS);
}
