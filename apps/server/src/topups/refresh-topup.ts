//! Looks a top-up up at the payment provider, now: POST /topups/{id}/refresh, and the background.
import { refuse } from '@holdfast/contract/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { read, type Transactor, transact } from '../platform/transact.ts';
import type { Payin, PaymentProvider } from '../providers/payment-provider.ts';
import { followRecord, missRecord } from './by-record.ts';
import { sightingOfRecord } from './sighting.ts';
import { findTopup, lockTopup, type Topup } from './topup.ts';
import { isLookedAt } from './topup-look.ts';

export interface TopupLooker extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

/** What has ended for certain is answered without a look. */
export async function refreshTopup(app: TopupLooker, call: Call, topupId: TopupId): Promise<Topup> {
  const isOpen = await read(app, call, async (tx) => {
    if ((await findTopup(tx, topupId)) === undefined) refuse('TOPUP_NOT_FOUND', { topupId });
    return isLookedAt(tx, topupId);
  });
  const payin = isOpen ? await findPayin(app, topupId) : undefined;
  return followPayin(app, call, topupId, payin);
}

async function findPayin({ payments }: TopupLooker, topupId: TopupId): Promise<Payin | null> {
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const found = await payments.findPayin(topupId);
  return found.kind === 'done' ? found.value : refuse('PROVIDER_TIMEOUT', { operationId: null });
}

/** Undefined: nothing was looked at. Read committed: the locked row holds all that decides. */
export async function followPayin(
  app: Transactor,
  call: Call,
  topupId: TopupId,
  payin: Payin | null | undefined,
): Promise<Topup> {
  return transact(
    app,
    call,
    async (tx) => {
      const topup = await lockTopup(tx, topupId);
      if (payin === undefined) return shownTo(tx.actor, topup);
      const followed =
        payin === null
          ? await missRecord(app, tx, topup)
          : await followRecord(app, tx, topup, sightingOfRecord(payin));
      return shownTo(tx.actor, followed);
    },
    'read committed',
  );
}
