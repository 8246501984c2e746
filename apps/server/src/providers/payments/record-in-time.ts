//! Reads the payment provider's record while the provider waits for our reply to its notification.
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Outcome } from '../outcome.ts';

/** Leaves time to apply the notification within the five seconds of its receiver. */
const LOOKUP_MS_MAX = 2500;

/** Null where there is no such record, or none could be read in time. */
export async function recordInTime<T>(lookup: Promise<Outcome<T | null>>): Promise<T | null> {
  const found = await withTimeout(LOOKUP_MS_MAX, lookup);
  return found?.kind === 'done' ? found.value : null;
}
