//! Stores the result of an address check, and records unexplained differences: silent repair would
//! hide theft.

import type { Tx } from '../../platform/database/transact.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { DueUser, WaitReason } from './due-user.ts';
import type { Mirrorer } from './mirrorer.ts';
import type { AddressObservation } from './observe-address.ts';
import { type Asset, saveCount } from './wallet-mirror.ts';

/** The network may lag: a difference counts once it was seen this often in a row. */
const OBSERVATIONS_BEFORE_AUDIT = 3;

/** Returns why the user has to be checked again before anything is sent. */
export async function recordObservation(
  tx: Tx,
  app: Mirrorer,
  user: DueUser & { readonly address: string },
  asset: Asset,
  observation: AddressObservation,
): Promise<WaitReason | undefined> {
  const { userId, address, waited } = user;
  const { count, isNew, strays, isStrange, isWhole } = observation;
  const seen = waited?.reason === 'DIFFERENCE' ? waited.attempts : 0;
  if (isStrange && seen < OBSERVATIONS_BEFORE_AUDIT - 1) return 'DIFFERENCE';
  if (isNew) await saveCount(tx, userId, asset, count);
  for (const { hash, to, stroops } of strays) {
    await recordDifference(tx, app, userId, 'the payment was not signed here', {
      ...{ asset, address, to, hash },
      amount: stroopsText(stroops),
    });
  }
  if (isStrange) {
    await recordDifference(tx, app, userId, 'no payment explains what the address holds', {
      ...{ asset, address },
      actual: stroopsText(observation.actual),
      unexplained: stroopsText(count.unexplained),
    });
  }
  return isWhole ? undefined : 'NETWORK';
}

async function recordDifference(
  tx: Tx,
  app: Mirrorer,
  userId: DueUser['userId'],
  reason: string,
  after: Record<string, string>,
): Promise<void> {
  app.log.error({ userId, reason, ...after }, 'address difference recorded');
  const record = { action: 'MIRROR_DIFFERENCE_RECORDED', resourceId: userId, after } as const;
  await audit(tx, { ...record, reason, result: 'FAILURE' });
}
