//! The recovery of a database that was closed, as its operators see it: its steps, its findings,
//! and the opening.
import {
  call,
  callWithRetry,
  dataOf,
  type Fields,
  isTransient,
  type RetryPolicy,
} from '../../harness/api.ts';
import { advanceClock } from '../../harness/sandbox.ts';
import { within } from '../../harness/wait.ts';
import { type Run, readStatus } from './environment.ts';

export interface Finding {
  readonly kind: string;
  readonly reference: string;
  readonly resourceId: string | null;
  readonly amount: string | null;
  readonly detail: string;
}

interface Step {
  readonly name: string;
  readonly finishedAt: string | null;
  readonly detail: string;
}

/** The longest wait of a recovery is seven minutes of the network's clock. */
const WAIT_SECONDS = 430;
const STEP_MS_MAX = 60_000;
const READ: RetryPolicy = { msMax: 20_000, pauseMs: () => 100, isTransient };

async function stepNamed(run: Run, wanted: string): Promise<Step | undefined> {
  const steps = (await readStatus(run))?.['steps'] as readonly Step[] | undefined;
  return steps?.find(({ name }) => name === wanted);
}

/**
 * Until nothing is left to do but to open it; a promoted database that has lost nothing opens
 * itself. The network's clock is set forward once the recovery waits for it. Returns what is wrong.
 */
export async function awaitRecovery(run: Run): Promise<string[]> {
  const isOpen = async () => (await readStatus(run))?.['status'] === 'OPEN';
  const isWaiting = async () => (await stepNamed(run, 'wait')) !== undefined;
  if (!(await within(STEP_MS_MAX, isWaiting))) return ['the recovery has not started'];
  await advanceClock(run.sandbox, WAIT_SECONDS);
  const isEnded = async () =>
    typeof (await stepNamed(run, 'end'))?.finishedAt === 'string' || (await isOpen());
  if (await within(STEP_MS_MAX, isEnded)) return [];
  const steps = (await readStatus(run))?.['steps'] as readonly Step[] | undefined;
  const last = steps?.findLast(({ finishedAt }) => finishedAt === null) ?? steps?.at(-1);
  return [`the recovery has not ended: ${last?.name}, ${last?.detail}`];
}

export async function openAgain({ master }: Pick<Run, 'master'>): Promise<void> {
  const path = '/recovery/open';
  dataOf(path, await call(master, { path, body: { reason: 'the drill has seen it' } }));
}

/** Of every recovery so far. */
export async function readFindings({ master }: Pick<Run, 'master'>): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path: string = `/recovery/findings?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = await callWithRetry(path, READ, () => call(master, { path }));
    found.push(...(dataOf<Fields[]>(path, page) as unknown as Finding[]));
    cursor = page.next;
  }
  return found;
}
