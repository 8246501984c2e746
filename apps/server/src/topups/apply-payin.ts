//! Applies what the payment provider tells of a top-up's pay-in.
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import type { Seal, Verdict } from '../providers/notice.ts';
import type { PayinNotice } from '../providers/payment-notice.ts';
import { followNotice } from './by-notice.ts';
import { sightingOfNotice } from './sighting.ts';
import { lockTopup } from './topup.ts';

/**
 * In one transaction with the mark on the notice. Read committed: the top-up's row is locked first,
 * and all that decides stands in it.
 */
export async function applyPayinNotice(
  app: Transactor,
  call: Call,
  topupId: TopupId,
  notice: PayinNotice,
  seal: Seal,
): Promise<Verdict> {
  return transact(
    app,
    call,
    async (tx) => {
      const topup = await lockTopup(tx, topupId);
      const verdict = await followNotice(app, tx, topup, sightingOfNotice(topup, notice));
      if (verdict.kind === 'applied') await seal(tx, 'APPLIED');
      if (verdict.kind === 'superseded') await seal(tx, 'SUPERSEDED');
      return verdict;
    },
    'read committed',
  );
}
