//! Sends one event to the handler as a webhook delivery would, until the handler accepts it.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Attempt {
  /** Undefined when no response came. */
  readonly status: number | undefined;
  readonly reason?: string;
  readonly ms: number;
}

export interface Outgoing {
  readonly url: string;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly body: string;
}

export interface Retries {
  readonly firstMs: number;
  readonly mostMs: number;
}

const RESPONSE_TIMEOUT_MS = 10_000;
const RETRIES: Retries = { firstMs: 500, mostMs: 30_000 };

export const isTaken = ({ status }: Attempt): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Each attempt is signed anew; ends when the handler returned 2xx, or when it is aborted. */
export async function forwardUntilTaken(
  outgoing: Outgoing,
  onAttempt: (attempt: Attempt, retryInMs: number | undefined) => void,
  { signal, retries = RETRIES }: { readonly signal: AbortSignal; readonly retries?: Retries },
): Promise<void> {
  for (let waitMs = retries.firstMs; ; waitMs = Math.min(waitMs * 2, retries.mostMs)) {
    const attempt = await forwardOnce(outgoing, signal);
    signal.throwIfAborted();
    if (isTaken(attempt)) {
      onAttempt(attempt, undefined);
      return;
    }
    onAttempt(attempt, waitMs);
    await sleep(waitMs, undefined, { signal });
  }
}

async function forwardOnce(outgoing: Outgoing, signal: AbortSignal): Promise<Attempt> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(outgoing.url, {
      method: 'POST',
      headers: await outgoing.headers(),
      body: outgoing.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    // Only the status of the response counts, but its body must be consumed.
    await response.body?.cancel();
    return { status: response.status, ms: took() };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const reason =
      name === 'TimeoutError' ? 'no response within 10 s' : ((cause as Error)?.message ?? message);
    return { status: undefined, reason, ms: took() };
  }
}
