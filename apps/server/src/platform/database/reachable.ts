//! Waits for a database that is not there yet: a host starts everything at once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../process/log.ts';
import { StartFault } from '../process/start-fault.ts';
import { isDatabaseAway } from './database.ts';

const START_MS_MAX = 60_000;
const RETRY_MS = 500;

/** Throws at once when the database refuses: waiting does not mend a wrong password. */
export async function untilReachable(
  query: () => Promise<unknown>,
  log?: Log,
  msMax = START_MS_MAX,
): Promise<void> {
  const deadline = performance.now() + msMax;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await query();
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      const { message } = error as Error;
      if (performance.now() > deadline)
        throw new StartFault(
          `the database could not be reached within ${msMax / 1000} s (DATABASE_URL): ${message}`,
        );
      if (attempt === 1) log?.warn({ err: error }, 'database not reachable yet');
      await sleep(RETRY_MS);
    }
  }
}
