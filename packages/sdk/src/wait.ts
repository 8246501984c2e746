//! Waiting for a state: polls repeatedly, less often the longer it takes.
import type { CallOptions } from '#call';
import { HoldfastError } from '#errors';
import { backoff, now, sleep, spanText } from '#platform';

/** How long and how eagerly to wait. */
export interface WaitOptions {
  /** Gives up with `WAIT_TIMED_OUT` after so long; 60 seconds when absent. */
  readonly timeoutMs?: number | undefined;
  /** The longest pause between two polls; 2 seconds when absent. */
  readonly pollMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_MS = 100;

/** The resource to poll, the wanted states, and the final states. */
export interface Awaiting<T, S extends string> {
  readonly what: string;
  readonly poll: (options: CallOptions) => Promise<T>;
  readonly wanted: S | readonly S[];
  readonly final: readonly string[];
}

/** Gives the resource once it is in a wanted state; throws when it has ended in another. */
export async function waitUntil<T extends { readonly status: string }, S extends string>(
  awaited: Awaiting<T, S>,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 60_000, pollMs = 2_000, signal } = options;
  const wanted: readonly string[] = [awaited.wanted].flat();
  const endsAt = now() + timeoutMs;
  for (let polls = 0; ; polls += 1) {
    const found = await awaited.poll({ signal });
    if (wanted.includes(found.status)) return found;
    const details = { state: found.status, wanted };
    const want = wanted.join(' or ');
    if (awaited.final.includes(found.status)) {
      const message = `${awaited.what} is ${found.status}, which is final; expected ${want}.`;
      throw new HoldfastError('STATE_NOT_REACHED', { message, details });
    }
    const left = endsAt - now();
    if (left <= 0) {
      const message = `${awaited.what} is still ${found.status} after ${spanText(timeoutMs)}; expected ${want}.`;
      throw new HoldfastError('WAIT_TIMED_OUT', { message, details });
    }
    // A signal given during the pause ends the next poll, which throws our own error.
    const pause = Math.min(left, backoff(polls, FIRST_MS, pollMs));
    await sleep(pause, signal).catch(() => undefined);
  }
}
