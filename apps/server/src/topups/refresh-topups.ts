//! Looks at every top-up whose time has come: a background job. It finishes all of them even if no
//! webhook ever comes, and compares the record with what webhooks said.
import { systemCall } from '../platform/call.ts';
import { transact } from '../platform/transact.ts';
import { followPayin, type TopupLooker } from './refresh-topup.ts';
import { type DueTopup, listDueTopups, takeLook } from './topup-look.ts';

const TOPUPS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers: each look is one worker's. Answers how many were due. */
export async function refreshTopups(app: TopupLooker): Promise<number> {
  if (app.payments === undefined) return 0;
  const due = await listDueTopups(app.pool, TOPUPS_MAX, app.clock.now());
  const waiting = due.values();
  const lookAtMany = async () => {
    for (const each of waiting) await lookAtOne(app, each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookAtMany));
  return due.length;
}

/** Never throws: what could not be seen now has its next look. */
async function lookAtOne(app: TopupLooker, { marketplace, topupId }: DueTopup): Promise<void> {
  const call = systemCall(marketplace);
  try {
    if (!(await transact(app, call, (tx) => takeLook(tx, topupId), 'read committed'))) return;
    const found = await app.payments?.findPayin(topupId);
    if (found?.kind === 'done') await followPayin(app, call, topupId, found.value);
    else app.log.warn({ topupId, reason: found?.reason }, 'miss payin');
  } catch (error) {
    app.log.warn({ topupId, reason: (error as Error).message }, 'leave topup');
  }
}
