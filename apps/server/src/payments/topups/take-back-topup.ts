//! Takes a top-up back that a notification credited and no record has confirmed, as two people have
//! decided.
import type { TopupId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import type { Tx } from '../../platform/database/transact.ts';
import type { Log } from '../../platform/process/log.ts';
import { receiveMoney } from './received-money.ts';
import { takeBackUnconfirmed } from './reversal.ts';
import { lockTopup } from './topup.ts';

/** A record that confirms it later pays it again. */
export async function takeBackTopup(
  app: { readonly log: Log },
  tx: Tx,
  topupId: TopupId,
  reason: string,
): Promise<void> {
  const topup = await lockTopup(tx, topupId);
  const { received, suspended, credited, currency } = topup;
  const back = await takeBackUnconfirmed(tx, topup);
  // Suspense has borne it since the record denied it.
  if (received !== null && suspended !== 0n)
    await receiveMoney(app, tx, back, received.plus(Money.ofMinor(credited, currency)), reason);
}
