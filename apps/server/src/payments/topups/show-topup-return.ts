//! Takes a payer back from the payment page: GET /topups/{id}/callback. It is public and proves
//! nothing: its only effect is an early poll of the provider's record, at a limited rate.
import { refuse } from '@holdfast/contract/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import { findTopupByPayin } from './find-topup-by-payin.ts';
import { findTopup } from './topup.ts';
import { hastenPoll } from './topup-poll.ts';

export interface Returner extends Transactor {
  readonly config: Pick<Config, 'HOLDFAST_PUBLIC_URL' | 'HOLDFAST_RETURN_URL'>;
}

const NOWHERE = 'http://localhost/';

/**
 * Returns the address that the payer is redirected to. The payer's use of the page's cancel button
 * decides only that.
 */
export async function showTopupReturn(
  app: Returner,
  topupId: TopupId,
  { isCanceled }: { readonly isCanceled: boolean },
): Promise<string> {
  const found = await findTopupByPayin(app.pool, [topupId]);
  if (found === undefined) return refuse('TOPUP_NOT_FOUND', { topupId });
  const topup = await transact(
    app,
    systemCall(found.marketplace),
    async (tx) => {
      await hastenPoll(tx, found.topupId);
      return findTopup(tx, found.topupId);
    },
    'read committed',
  );
  const { HOLDFAST_RETURN_URL: page, HOLDFAST_PUBLIC_URL: ours } = app.config;
  const named = isCanceled ? (topup?.cancelUrl ?? topup?.returnUrl) : topup?.returnUrl;
  return named ?? page ?? ours ?? NOWHERE;
}
