//! What a browser never answers: named, instead of waited for.
import { setTimeout as sleep } from 'node:timers/promises';

export class Endless extends Error {}

/** A browser does not give up by itself everywhere. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const given = new AbortController();
  const late = sleep(ms, undefined, { ref: false, signal: given.signal }).then(() => {
    throw new Endless(`${what} did not end within ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    given.abort();
  }
}
