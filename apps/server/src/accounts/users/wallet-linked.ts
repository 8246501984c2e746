//! The event and the audit entry of a user that got its address.
import { instantText } from '@holdfast/kernel/clock';
import type { UserId } from '@holdfast/kernel/ids';
import { emit } from '../../platform/database/outbox.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';

export async function emitWalletLinked(
  tx: Tx,
  userId: UserId,
  ledgerAddress: string,
): Promise<void> {
  const linkedAt = instantText(tx.now);
  await emit(tx, 'user.ledger_linked', userId, { userId, ledgerAddress, linkedAt });
  await audit(tx, {
    action: 'LEDGER_ADDRESS_LINKED',
    resourceId: userId,
    after: { ledgerAddress },
  });
}
