//! Waiting for a state: looks again and again, less often the longer it takes.
import type { CallOptions } from '#call';
import { HoldfastError } from '#errors';
import { backoff, now, sleep } from '#platform';

/** How long and how eagerly to wait. */
export interface WaitOptions {
  /** Gives up with `WAIT_TIMED_OUT` after so long; 60 seconds when absent. */
  readonly timeoutMs?: number | undefined;
  /** The longest pause between two looks; 2 seconds when absent. */
  readonly pollMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const FIRST_MS = 100;

/** What is awaited: how to look, which states are meant, and which ones nothing leaves. */
export interface Awaiting<T, S extends string> {
  readonly what: string;
  readonly look: (options: CallOptions) => Promise<T>;
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
  for (let looks = 0; ; looks += 1) {
    const found = await awaited.look({ signal });
    if (wanted.includes(found.status)) return found;
    const details = { state: found.status, wanted };
    const want = wanted.join(' or ');
    if (awaited.final.includes(found.status)) {
      const message = `${awaited.what} is ${found.status} for good, and will not be ${want}.`;
      throw new HoldfastError('STATE_NOT_REACHED', { message, details });
    }
    const left = endsAt - now();
    if (left <= 0) {
      const message = `${awaited.what} is still ${found.status} after ${timeoutMs} ms, not ${want}.`;
      throw new HoldfastError('WAIT_TIMED_OUT', { message, details });
    }
    // Given while we wait, the signal ends the next look, which tells so in our words.
    const pause = Math.min(left, backoff(looks, FIRST_MS, pollMs));
    await sleep(pause, signal).catch(() => undefined);
  }
}
