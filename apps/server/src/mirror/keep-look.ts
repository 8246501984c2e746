//! Keeps what a look at an address found, and notes what nothing explains: what heals silently
//! hides theft.
import { audit } from '../audit/audit-entry.ts';
import type { Tx } from '../platform/transact.ts';
import { stroopsText } from '../providers/stroops.ts';
import type { Look } from './look-at-address.ts';
import type { DueUser, WaitReason } from './make-due.ts';
import type { Mirrorer } from './mirrorer.ts';
import { type Asset, keepCount } from './wallet-mirror.ts';

/** The network may have been behind: a difference counts when it was seen so often in a row. */
const LOOKS_BEFORE_NOTE = 3;

/** Answers why the user has to be looked at again before anything is sent. */
export async function keepLook(
  tx: Tx,
  app: Mirrorer,
  user: DueUser & { readonly address: string },
  asset: Asset,
  look: Look,
): Promise<WaitReason | undefined> {
  const { userId, address, waited } = user;
  const { count, isNew, strays, isStrange, isWhole } = look;
  const seen = waited?.reason === 'DIFFERENCE' ? waited.attempts : 0;
  if (isStrange && seen < LOOKS_BEFORE_NOTE - 1) return 'DIFFERENCE';
  if (isNew) await keepCount(tx, userId, asset, count);
  for (const { hash, to, stroops } of strays) {
    await note(tx, app, userId, 'nobody here signed this payment', {
      ...{ asset, address, to, hash },
      amount: stroopsText(stroops),
    });
  }
  if (isStrange) {
    await note(tx, app, userId, 'no payment explains what the address holds', {
      ...{ asset, address },
      actual: stroopsText(look.actual),
      unexplained: stroopsText(count.unexplained),
    });
  }
  return isWhole ? undefined : 'NETWORK';
}

async function note(
  tx: Tx,
  app: Mirrorer,
  userId: DueUser['userId'],
  reason: string,
  after: Record<string, string>,
): Promise<void> {
  app.log.error({ userId, reason, ...after }, 'note difference');
  const deed = { action: 'MIRROR_DIFFERENCE_NOTED', resourceId: userId, after } as const;
  await audit(tx, { ...deed, reason, result: 'FAILURE' });
}
