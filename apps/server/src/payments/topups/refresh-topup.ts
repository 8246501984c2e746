//! Fetches a top-up's record from the payment provider now: POST /topups/{id}/refresh, and the
//! poller.
import { refuse } from '@holdfast/contract/errors';
import type { TopupId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import { transactAt } from '../../platform/database/transact-at.ts';
import { shownTo } from '../../platform/mask.ts';
import type { Payin, PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { applyMissingRecord, applyRecord } from './by-record.ts';
import { observationOfRecord } from './payin-observation.ts';
import { findTopup, lockTopup, type Topup } from './topup.ts';
import { isPolled } from './topup-poll.ts';

export interface TopupPollDeps extends Transactor {
  readonly payments: PaymentProvider | undefined;
}

/**
 * A top-up that has failed for certain is returned without a call to the provider. A payment that
 * came in may have been reversed since.
 */
export async function refreshTopup(
  app: TopupPollDeps,
  call: Call,
  topupId: TopupId,
): Promise<Topup> {
  const mayChange = await read(app, call, async (tx) => {
    const { status } = (await findTopup(tx, topupId)) ?? refuse('TOPUP_NOT_FOUND', { topupId });
    return status === 'TOPUP_SUCCEEDED' || (await isPolled(tx, topupId));
  });
  const payin = mayChange ? await findPayin(app, topupId) : undefined;
  return applyPayinRecord(app, call, topupId, payin);
}

async function findPayin({ payments }: TopupPollDeps, topupId: TopupId): Promise<Payin | null> {
  if (payments === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'no payment provider is configured' });
  const found = await payments.findPayin(topupId);
  return found.kind === 'done' ? found.value : refuse('PROVIDER_TIMEOUT', { operationId: null });
}

/**
 * Undefined: nothing was fetched. Read committed is enough: the locked row holds everything that
 * decides, except the debts of all users, which are summed under a lock.
 */
export async function applyPayinRecord(
  app: Transactor,
  call: Call,
  topupId: TopupId,
  payin: Payin | null | undefined,
): Promise<Topup> {
  const at = { point: 'refresh-topup:apply', isolation: 'read committed' } as const;
  return transactAt(app, call, at, async (tx) => {
    const topup = await lockTopup(tx, topupId);
    if (payin === undefined) return shownTo(tx.actor, topup);
    const updated =
      payin === null
        ? await applyMissingRecord(app, tx, topup)
        : await applyRecord(app, tx, topup, observationOfRecord(payin));
    return shownTo(tx.actor, updated);
  });
}
