//! Platform functions: time, randomness, sleeping, and the environment if there is one. Web
//! standards only, so that the SDK runs wherever `fetch` does.

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now();
}

/** `60 s`, or `250 ms` where it is less than a second: for messages. */
export function spanText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`;
}

/** A whole number in text, such as a header's; undefined when it is none. */
export function wholeNumber(text: string | null | undefined): number | undefined {
  return text !== null && text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** At least nothing, less than one. */
function random(): number {
  const [value = 0] = globalThis.crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}

/** Ends early, by throwing the signal's reason, when the signal is given. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal));
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal === undefined ? new Error('stopped') : reasonOf(signal));
    }
  });
}

export function reasonOf(signal: AbortSignal): Error {
  const { reason } = signal as { reason: unknown };
  return reason instanceof Error ? reason : new Error(String(reason));
}

interface WithProcess {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** A variable of the environment, where there is one and it may be read. */
export function environment(name: string): string | undefined {
  try {
    return (globalThis as WithProcess).process?.env?.[name];
  } catch {
    return undefined; // Deno refuses until it is allowed.
  }
}

/** Doubles with each attempt up to the most, and lies between half of that and all of it. */
export function backoff(attempt: number, firstMs: number, mostMs: number): number {
  const full = Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
  return full / 2 + (full / 2) * random();
}
