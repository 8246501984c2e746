//! Checks that a database is closed as its status says: what is refused, and that nothing is sent.
import { setTimeout as sleep } from 'node:timers/promises';
import { isGood, responseText } from '../../harness/api.ts';
import { readJournal } from '../../harness/sandbox.ts';
import { within } from '../../harness/wait.ts';
import { type Run, readStatus } from './environment.ts';
import type { Status } from './history.ts';
import type { Load } from './load.ts';

const DECIDED_MS_MAX = 60_000;
/** For a worker to send what it must not. */
const QUIET_MS = 2000;

/** What the service itself does to the world, and no timer of a provider. */
const SENT = /^(escrow\.|ledger\.payment|payment\.payout\.(create|commit))/;
/** A promoted database pays nothing out, and continues its orders. */
const PAID_OUT = /^payment\.payout\.(create|commit)/;

export const UNKNOWN_NUMBER = /has used an unknown sequence number$/;

/** What has left so far: of a promoted database only payments out. */
export async function countSent({ sandbox, payee }: Run, status: Status): Promise<number> {
  const entries = await readJournal(sandbox);
  return entries.filter(({ effect, to }) =>
    status === 'PROMOTED'
      ? PAID_OUT.test(effect) || (effect === 'ledger.payment' && to === payee)
      : SENT.test(effect),
  ).length;
}

export interface Closed {
  readonly ms: number;
  /** When a promoted database took a write. */
  readonly writtenAt?: number;
  readonly wrong: readonly string[];
}

/** `sent` was counted before a worker started. */
export async function checkClosed(
  run: Run,
  load: Load,
  expected: Status,
  sent: number,
): Promise<Closed> {
  const startedAt = performance.now();
  const wrong: string[] = [];
  const isDecided = async () => {
    const seen = await readStatus(run);
    // A storage snapshot without a mark in Restate closes at the first payment; where the marks
    // differ, nothing may come so far.
    const isByNumber = UNKNOWN_NUMBER.test(String(seen?.['reason']));
    return isByNumber ? expected === 'OPEN' : seen?.['status'] === expected;
  };
  if (!(await within(DECIDED_MS_MAX, isDecided)))
    return { ms: DECIDED_MS_MAX, wrong: [`not ${expected}: ${await statusText(run)}`] };
  const ms = performance.now() - startedAt;
  if (expected === 'OPEN') return { ms, wrong };
  const response = await load.credit();
  const writtenAt = performance.now();
  const isWritten = isGood(response);
  const isRight = expected === 'REWOUND' ? response.code === 'RECOVERING' : isWritten;
  if (!isRight) wrong.push(`a write of a ${expected} database got ${responseText(response)}`);
  await sleep(QUIET_MS);
  const more = (await countSent(run, expected)) - sent;
  if (more > 0) wrong.push(`sent ${more} times while it was ${expected}`);
  return { ms, wrong, ...(isWritten && { writtenAt }) };
}

export async function statusText(run: Pick<Run, 'master'>): Promise<string> {
  const seen = await readStatus(run);
  return seen === undefined
    ? 'no response'
    : `${String(seen['status'])}, ${String(seen['reason'])}`;
}
