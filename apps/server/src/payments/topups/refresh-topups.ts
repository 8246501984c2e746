//! Polls every top-up that is due: a background job. It finishes all of them even if no webhook
//! ever arrives, and compares the record with the webhooks.
import { systemCall } from '../../platform/call.ts';
import { transactAt } from '../../platform/database/transact-at.ts';
import { passFor } from '../../platform/process/failpoint.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import { applyPayinRecord, type TopupPollDeps } from './refresh-topup.ts';
import { claimPoll, type DueTopup, listDueTopups } from './topup-poll.ts';

const TOPUPS_MAX = 100;
const AT_ONCE = 4;

/** Any number of workers may run it: one worker claims each poll. Returns how many were due. */
export async function refreshTopups(app: TopupPollDeps): Promise<number> {
  if (app.payments === undefined) return 0;
  const due = await listDueTopups(app.pool, TOPUPS_MAX, app.clock.now());
  await mapAtOnce(AT_ONCE, due, (each) => passFor([each.topupId], () => pollOne(app, each)));
  return due.length;
}

const CLAIM = { point: 'refresh-topup:claim', isolation: 'read committed' } as const;

/** Never throws: a poll that fails is due again later. */
async function pollOne(app: TopupPollDeps, { marketplace, topupId }: DueTopup): Promise<void> {
  const call = systemCall(marketplace);
  try {
    if (!(await transactAt(app, call, CLAIM, (tx) => claimPoll(tx, topupId)))) return;
    const found = await app.payments?.findPayin(topupId);
    if (found?.kind === 'done') await applyPayinRecord(app, call, topupId, found.value);
    else app.log.warn({ topupId, reason: found?.reason }, 'pay-in lookup failed');
  } catch (error) {
    app.log.warn({ topupId, err: error }, 'top-up poll failed');
  }
}
