//! From the failure to the verdict, in the same way after a restore and after a failover.
import type pg from 'pg';
import { secondsText } from '../../harness/report.ts';
import { checkClosed, countSent } from './closed.ts';
import type { Run } from './environment.ts';
import { type History, readHistory, readRestateMark, type Status, statusAfter } from './history.ts';
import type { Load } from './load.ts';
import { type Goals, lateOf, type Settled, settle } from './settle.ts';
import { reach, type Verdict } from './verdict.ts';

export interface Failure {
  readonly before: History;
  /** A value of `performance.now()`. */
  readonly failedAt: number;
  /** Of the server that takes over. */
  readonly database: pg.Pool;
  /** Gives the set its database again. */
  readonly resume: () => Promise<unknown>;
  /** Happens while the database is closed. */
  readonly whileClosed?: () => Promise<unknown>;
  /** Happens once it is open, and nothing moves any more. */
  readonly afterwards?: () => Promise<unknown>;
}

export interface Outcome extends Settled, Verdict {
  readonly status: Status;
  readonly isAnother: boolean;
  readonly requested: number;
  readonly closedMs: number;
}

/** Where people have to open it, and where a standby that has lost nothing opens itself. */
const OPENED: Goals = { writesMs: 15 * 60_000, sendingMs: 30 * 60_000 };
const BY_ITSELF: Goals = { writesMs: 30_000, sendingMs: 5 * 60_000 };

export async function outcomeOf(run: Run, load: Load, failure: Failure): Promise<Outcome> {
  const { before, failedAt, database, resume } = failure;
  const after = await readHistory(database);
  const restateMark = await readRestateMark(run.restate);
  const status = statusAfter(before, after, restateMark);
  const sent = await countSent(run, status);
  await resume();
  const closed = await checkClosed(run, load, status, sent);
  await failure.whileClosed?.();
  const writtenMs = closed.writtenAt && closed.writtenAt - failedAt;
  const settled = await settle(run, load, status, { failedAt, writtenMs });
  await failure.afterwards?.();
  const verdict = await reach(run, load);
  const late = lateOf(settled, status === 'PROMOTED' ? BY_ITSELF : OPENED);
  return {
    ...{ ...settled, ...verdict, status },
    isAnother: after.server !== before.server,
    requested: load.amounts.length,
    closedMs: closed.ms,
    wrong: [closed.wrong, settled.wrong, late, verdict.wrong].flat(),
  };
}

export function outcomeText(outcome: Outcome): string {
  const { status, closedMs, openings, recoveryMs, writesMs, sendingMs } = outcome;
  const ms = (value: number | undefined) => (value === undefined ? 'none' : secondsText(value));
  const opened = openings === 1 ? 'once' : `${openings} times`;
  return [
    `${status} after ${secondsText(closedMs)}`,
    `recovery ${ms(recoveryMs)}, ${outcome.findings} findings, opened ${opened}`,
    `first write ${ms(writesMs)}, first payment ${ms(sendingMs)} after the failure`,
    `${outcome.requested} withdrawals requested, ${outcome.paid} paid, ${outcome.twice} twice`,
    `${outcome.missing} acknowledged but missing (${outcome.missingText}), ` +
      `${outcome.reported} of them reported`,
    `${outcome.differences} differences`,
  ].join('; ');
}
