//! Waits for the recovery, opens the database, lets its clients continue, and waits until nothing
//! moves any more.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fields, isGood } from '../../harness/api.ts';
import { converge } from '../../harness/rest.ts';
import { advanceClock } from '../../harness/sandbox.ts';
import { needed } from '../../harness/set.ts';
import { within } from '../../harness/wait.ts';
import { UNKNOWN_NUMBER } from './closed.ts';
import { countPaid, type Run, readStatus } from './environment.ts';
import type { Status } from './history.ts';
import type { Load } from './load.ts';
import { awaitRecovery, openAgain } from './recovery.ts';
import { handInLogs } from './reported.ts';

export interface Settled {
  /** By an admin; a promoted database that has lost nothing opens itself. */
  readonly openings: number;
  /** From the moment at which it was seen closed to the end of the recovery. */
  readonly recoveryMs: number | undefined;
  /** From the failure to the first write, and to the first payment out; undefined for none. */
  readonly writesMs: number | undefined;
  readonly sendingMs: number | undefined;
  readonly wrong: readonly string[];
}

const WRITES_MS_MAX = 30_000;
const SENDING_MS_MAX = 60_000;
const LOAD_MS = 1000;
const MOVING_MS_MAX = 60_000;
const SLICE_MS = 250;
const REPLY_MS_MAX = 30_000;
const ATTEMPT_SECONDS = 31;

/** How soon writes and payments must be possible again, by docs/operations/recovery.md. */
export interface Goals {
  readonly writesMs: number;
  readonly sendingMs: number;
}

export async function settle(
  run: Run,
  load: Load,
  expected: Status,
  { failedAt, writtenMs }: { readonly failedAt: number; readonly writtenMs: number | undefined },
): Promise<Settled> {
  const wrong: string[] = [];
  const since = () => performance.now() - failedAt;
  const paidBefore = await countPaid(run);
  let [openings, recoveryMs, sendingMs]: [number, ...(number | undefined)[]] = [0];
  let writesMs = writtenMs;
  for (;;) {
    const startedAt = performance.now();
    if (await isClosed(run)) {
      wrong.push(...(await awaitRecovery(run)));
      recoveryMs = (recoveryMs ?? 0) + performance.now() - startedAt;
      if (wrong.length > 0) break;
      await handInLogs(run);
    }
    if (await isClosed(run)) {
      await openAgain(run);
      openings += 1;
    }
    if (writesMs === undefined) writesMs = await firstWrite(load, since);
    if (sendingMs === undefined) sendingMs = await firstPayment(run, load, since, paidBefore);
    const moving = await untilStill(run);
    if (!(await isClosed(run))) {
      wrong.push(...moving.map((text) => `still moving: ${text}`));
      break;
    }
    // Where nothing else shows that the database is an older one, the first payment does.
    const reason = String((await seenStatus(run))['reason']);
    if (expected === 'OPEN' && openings === 0 && UNKNOWN_NUMBER.test(reason)) continue;
    wrong.push(`closed again: ${reason}`);
    break;
  }
  return { openings, recoveryMs, writesMs, sendingMs, wrong };
}

/** What took longer than it may. */
export function lateOf(
  { writesMs, sendingMs }: Pick<Settled, 'writesMs' | 'sendingMs'>,
  goals: Goals,
): string[] {
  return [
    ...(writesMs === undefined || writesMs > goals.writesMs ? ['no write in time'] : []),
    ...(sendingMs === undefined || sendingMs > goals.sendingMs ? ['no payment in time'] : []),
  ];
}

async function firstWrite(load: Load, since: () => number): Promise<number | undefined> {
  const isWritten = async () => isGood(await load.credit());
  return (await within(WRITES_MS_MAX, isWritten)) ? since() : undefined;
}

/** Undefined if the database is closed before. */
async function firstPayment(
  run: Run,
  load: Load,
  since: () => number,
  paidBefore: number,
): Promise<number | undefined> {
  // A database that is closed in this moment takes no users.
  await load.admit().catch(() => undefined);
  const stop = load.start();
  const isPaid = async () => (await countPaid(run)) > paidBefore;
  await within(SENDING_MS_MAX, async () => (await isPaid()) || isClosed(run));
  const paidMs = (await isPaid()) ? since() : undefined;
  await sleep(LOAD_MS);
  await stop();
  return paidMs;
}

/** An API server that has just lost its database does not reply for a moment. */
async function seenStatus(run: Run): Promise<Fields> {
  let seen: Fields | undefined;
  await within(REPLY_MS_MAX, async () => {
    seen = await readStatus(run);
    return seen !== undefined;
  });
  return needed(seen, 'status');
}

async function isClosed(run: Run): Promise<boolean> {
  return (await seenStatus(run))['status'] !== 'OPEN';
}

/** Returns what still moves, after a time or once it is closed again. */
async function untilStill(run: Run): Promise<readonly string[]> {
  let moving: readonly string[] = [];
  await within(MOVING_MS_MAX, async () => {
    ({ moving } = await converge(run.monitor, SLICE_MS));
    if (moving.length === 0 || (await isClosed(run))) return true;
    // Notifications about what the database no longer has are parked after ten attempts, and the
    // end of a payout that one reported is read once more.
    if (moving.every((text) => /^(inbox|poll) /.test(text)))
      await advanceClock(run.sandbox, ATTEMPT_SECONDS);
    return false;
  });
  return moving;
}
