//! A time limit for browser calls that may never return, so that the failure names the call.
import { setTimeout as sleep } from 'node:timers/promises';

export class Endless extends Error {}

/** Not every browser call has a timeout of its own. */
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
