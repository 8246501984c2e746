//! Sends one event to the handler as a webhook endpoint would get it, until it is taken.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Attempt {
  /** Undefined when no answer came. */
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

const ANSWER_MS_MAX = 10_000;
const RETRIES: Retries = { firstMs: 500, mostMs: 30_000 };

export const isTaken = ({ status }: Attempt): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Each attempt is signed anew; ends when the handler answered 2xx, or when it is called off. */
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
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const answer = await fetch(outgoing.url, {
      method: 'POST',
      headers: await outgoing.headers(),
      body: outgoing.body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    });
    // What a handler says beyond its status is nobody's business here, but must be read.
    await answer.body?.cancel();
    return { status: answer.status, ms: took() };
  } catch (error) {
    const { name, message, cause } = error as Error;
    const reason =
      name === 'TimeoutError' ? 'no answer in 10 s' : ((cause as Error)?.message ?? message);
    return { status: undefined, reason, ms: took() };
  }
}
