//! Opens the database again, lets its clients continue, and waits until nothing moves any more.
import { setTimeout as sleep } from 'node:timers/promises';
import { isGood } from '../../harness/api.ts';
import { converge } from '../../harness/rest.ts';
import { advanceClock } from '../../harness/sandbox.ts';
import { within } from '../../harness/wait.ts';
import { UNKNOWN_NUMBER } from './closed.ts';
import { countPaid, openAgain, type Run, readStatus } from './environment.ts';
import type { Load } from './load.ts';

export interface Settled {
  readonly openings: number;
  /** From the failure to the first write, and to the first payment out; undefined for none. */
  readonly writesMs: number | undefined;
  readonly sendingMs: number | undefined;
  /** What still moves: payments that wait for an account whose number is not known. */
  readonly moving: readonly string[];
  readonly wrong: readonly string[];
}

/** A transaction is valid for six minutes at most, and a node of the network may be one behind. */
const VALIDITY_SECONDS = 500;
/** An operator who only ever opens it again must not cause a second payment either. */
const OPENINGS_MAX = 3;
const WRITES_MS_MAX = 30_000;
const SENDING_MS_MAX = 8000;
const LOAD_MS = 2000;
const MOVING_MS_MAX = 8000;

export async function settle(run: Run, load: Load, failedAt: number): Promise<Settled> {
  const wrong: string[] = [];
  const since = () => performance.now() - failedAt;
  const paidBefore = await countPaid(run);
  let [openings, moving]: [number, readonly string[]] = [0, []];
  let [writesMs, sendingMs]: (number | undefined)[] = [];
  await advanceClock(run.sandbox, VALIDITY_SECONDS);
  for (;;) {
    if ((await readStatus(run))?.['status'] !== 'OPEN') {
      if (openings === OPENINGS_MAX) break;
      await openAgain(run);
      openings += 1;
    }
    if (writesMs === undefined) {
      const isWritten = await within(WRITES_MS_MAX, async () => isGood(await load.credit()));
      if (isWritten) writesMs = since();
      else wrong.push('no write after it was opened');
      const stop = load.start();
      await sleep(LOAD_MS);
      await stop();
      const isPaid = async () => (await countPaid(run)) > paidBefore;
      if (await within(SENDING_MS_MAX, isPaid)) sendingMs = since();
    }
    ({ moving } = await converge(run.monitor, MOVING_MS_MAX));
    const seen = await readStatus(run);
    if (seen?.['status'] === 'OPEN') break;
    if (!UNKNOWN_NUMBER.test(String(seen?.['reason'])))
      wrong.push(`closed again: ${String(seen?.['reason'])}`);
  }
  return { openings, writesMs, sendingMs, moving, wrong };
}
