//! Schedules a new check of the record that an exception is about.
import { readId } from '@holdfast/kernel/ids';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { recheckPayment } from '../comparison/recheck-payment.ts';
import type { Exception } from './exception.ts';

/** A top-up, a payout, or a user's address: its poller or the mirror does the rest. */
export async function recheckException(tx: Tx, { resourceId }: Exception): Promise<void> {
  const userId = readId('usr', resourceId ?? '');
  if (resourceId !== null) await recheckPayment(tx, resourceId);
  if (userId !== undefined) await markMirrorDue(tx, userId);
}
