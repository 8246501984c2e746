//! Settles an unrecorded payment to an external account: it ends its withdrawal, or a person does.
import { assert } from '@holdfast/kernel/assert';
import { HOUSE } from '../../accounts/custody/house-wallet.ts';
import { transact } from '../../platform/database/transact.ts';
import { storeUnrecorded } from '../../providers/network/envelope.ts';
import type { NetworkPayment } from '../../providers/network/ledger-network.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import { payoutOf, withdrawalsWith } from './match-payout.ts';
import {
  freezeOwner,
  publicId,
  type RecoveryRun,
  recoveryCall,
  reportFinding,
  type Unrecorded,
} from './recovery-run.ts';

export async function settlePayout(run: RecoveryRun, unrecorded: Unrecorded): Promise<void> {
  const outgoing = unrecorded.transfers.filter(({ to }) => !unrecorded.own.has(to));
  // One transaction pays one withdrawal.
  const [payment] = outgoing;
  if (
    payment !== undefined &&
    outgoing.length === 1 &&
    (await endWithdrawal(run, unrecorded, payment))
  )
    return;
  for (const each of outgoing) await report(run, unrecorded, each);
}

/** Stored under the purpose of its withdrawal, whose operation finds it applied and ends. */
async function endWithdrawal(
  { app }: RecoveryRun,
  { networkTx, owners }: Unrecorded,
  { from, to, asset, stroops }: NetworkPayment,
): Promise<boolean> {
  const owner = owners.get(from);
  if (owner === undefined || asset === 'other') return false;
  const { userId, marketplace } = owner;
  const { memo } = networkTx;
  return transact(app, recoveryCall(marketplace), async (tx) => {
    for (const id of await withdrawalsWith(tx, { userId, to, asset, stroops, memo })) {
      const { purpose, isNew } = await payoutOf(tx, id);
      if (purpose === undefined) continue;
      if (await storeUnrecorded(tx, purpose, networkTx)) return true;
      // Another one has been paid already, by an envelope that is here. A new one cannot have been.
      assert(!isNew, 'a payment is stored once');
    }
    return false;
  });
}

async function report(
  run: RecoveryRun,
  { networkTx, owners }: Unrecorded,
  { from, to, asset, stroops }: NetworkPayment,
): Promise<void> {
  const owner = owners.get(from);
  const { hash } = networkTx;
  const whose = owner === undefined ? `the address ${from}, which has no user here` : owner.userId;
  const detail = `paid out of ${whose} to ${to}; no open withdrawal here has these terms`;
  if (owner !== undefined)
    await freezeOwner(run, owner.marketplace, owner.userId, `an unrecorded payout: ${hash}`);
  const marketplaceId = owner === undefined ? null : await publicId(run, owner.marketplace);
  await transact(run.app, recoveryCall(HOUSE), (tx) =>
    reportFinding(run, tx, {
      kind: 'UNRECORDED_PAYOUT',
      reference: hash,
      marketplaceId,
      userId: owner?.userId ?? null,
      amount: stroopsText(stroops),
      currency: asset,
      detail,
    }),
  );
}
