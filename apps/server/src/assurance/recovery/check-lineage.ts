//! Checks whether the database has forgotten writes, and counts the mark that shows it: a job.
//!
//! The mark counts up in PostgreSQL first and in Restate afterwards, so Restate is never ahead of a
//! database that is intact. A storage snapshot that was put back has no other sign.
import { lineageMachine } from '@holdfast/contract/machines/lineage-machine';
import { assert } from '@holdfast/kernel/assert';
import type { Instant } from '@holdfast/kernel/clock';
import { listHouseAddresses } from '../../accounts/custody/house-wallet.ts';
import type { Engine } from '../../engine/engine.ts';
import { NO_MARKETPLACE, systemCall } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import {
  advanceMark,
  confirmCompared,
  type LineageReading,
  readLineage,
  setPresentLineage,
  startLineage,
  takeUnknownNumber,
  type Verdict,
} from '../../platform/database/lineage.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { LINEAGE_CLOSED } from '../../platform/process/alarms.ts';
import { newestEnvelopeAt } from '../../providers/network/envelope.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findAuditMarketplace } from '../solvency/house-marketplace.ts';

export interface LineageChecker extends Transactor {
  readonly engine: Engine;
  readonly config: Config;
}

const MARK_EVERY_MS = 1000;

export async function checkLineage(app: LineageChecker): Promise<number> {
  const reading = await readLineage(app.pool);
  setPresentLineage(reading);
  if (!reading.isSameServer || !reading.isCompared) return compare(app);
  const address = takeUnknownNumber();
  if (address !== undefined && reading.status !== 'REWOUND') {
    const closed = await closeForUnknownNumber(app, reading, address);
    if (closed > 0) return closed;
  }
  const now = app.clock.now();
  if (reading.markedAt <= now && now < reading.markedAt + MARK_EVERY_MS) return 0;
  const mark = await advanceMark(app.pool, now, MARK_EVERY_MS);
  // One that is not delivered is made up for by the next.
  if (mark !== undefined) await app.engine.advanceMark(mark).catch(() => null);
  return 0;
}

/**
 * Without a reply from Restate nothing is known: the next run reads it again. Its mark is read
 * first: a worker that has compared already counts both up, the database before Restate.
 */
async function compare(app: LineageChecker): Promise<number> {
  const externalMark = await app.engine.advanceMark(null).catch((error: Error) => {
    app.log.warn({ err: error }, 'mark of the database not readable');
    return undefined;
  });
  if (externalMark === undefined) return 0;
  const reading = await readLineage(app.pool);
  const verdict = verdictOn(reading, externalMark);
  if (verdict !== undefined) return close(app, reading, verdict);
  await confirmCompared(app.pool, reading);
  return 1;
}

/** Undefined for a database that has forgotten nothing. */
export function verdictOn(
  { isSameServer, mark, markedAt, status, lostFrom: lostBefore }: LineageReading,
  externalMark: bigint | null,
): Verdict | undefined {
  // What was lost before and is not found yet stays lost.
  const lostFrom = status === 'OPEN' ? markedAt : Math.min(lostBefore ?? markedAt, markedAt);
  const markAtLeast = externalMark === null || externalMark < mark ? mark : externalMark;
  const rewound = (reason: string) => ({
    status: stateAfter('rewind'),
    reason,
    lostFrom,
    markAtLeast,
  });
  if (externalMark !== null && externalMark > mark)
    return rewound(`Restate has mark ${externalMark}, the database ${mark}`);
  if (isSameServer) return undefined;
  if (externalMark === null)
    return rewound('the database is on another server, and Restate has no mark to compare with');
  const reason = `the database is on another server, and its mark ${mark} is not behind Restate`;
  if (status === 'REWOUND') return rewound(reason);
  return { status: stateAfter('promote'), reason, lostFrom, markAtLeast };
}

function stateAfter(move: 'promote' | 'rewind'): Verdict['status'] {
  const { to } = lineageMachine.moves[move];
  assert(to !== 'OPEN', 'a check closes');
  return to;
}

/** Of an account of the house, which every marketplace uses. One of a user bars only itself. */
async function closeForUnknownNumber(
  app: LineageChecker,
  reading: LineageReading,
  address: string,
): Promise<number> {
  const house = await listHouseAddresses(app.pool);
  const wallet = house.find((each) => each.address === address);
  if (wallet === undefined) return 0;
  const reason = `the ${wallet.kind} account ${address} has used an unknown sequence number`;
  const { mark: markAtLeast, checkedAt } = reading;
  // The mark did not show it. What the account sent last is older than what was forgotten.
  const lostFrom: Instant = (await newestEnvelopeAt(app.pool, address)) ?? checkedAt;
  return close(app, reading, { status: stateAfter('rewind'), reason, lostFrom, markAtLeast });
}

async function close(
  app: LineageChecker,
  { number, status: before }: LineageReading,
  verdict: Verdict,
): Promise<number> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  const call = { ...systemCall(auditedIn ?? NO_MARKETPLACE), worksDuringRecovery: true };
  const isClosed = await transact(app, call, (tx) => record(tx, number, before, verdict));
  if (!isClosed) return 0;
  const { status, reason, lostFrom } = verdict;
  app.log.error({ number: number + 1, checked: status, reason, lostFrom }, LINEAGE_CLOSED);
  return 1;
}

async function record(tx: Tx, number: number, before: string, verdict: Verdict): Promise<boolean> {
  if (!(await startLineage(tx, number, verdict))) return false;
  const { status, reason } = verdict;
  await audit(tx, {
    action: status === 'PROMOTED' ? 'LINEAGE_PROMOTED' : 'LINEAGE_REWOUND',
    resourceId: String(number + 1),
    before: { status: before },
    after: { status },
    reason,
  });
  return true;
}
