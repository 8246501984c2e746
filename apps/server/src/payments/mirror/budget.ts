//! Limits on transfers: the treasury must hold the amount, and the marketplace's funded share must
//! cover it.

import type { UserId } from '@holdfast/kernel/ids';
import { findTreasury } from '../../accounts/custody/send-payments.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import type { Transfer } from './batch.ts';
import { waitFor } from './due-user.ts';
import type { Mirrorer } from './mirrorer.ts';
import { stroopsIn } from './observe-address.ts';
import {
  addDrawn,
  clearShareEscalation,
  escalateShare,
  lockRoom,
  publicIdOf,
} from './treasury-share.ts';
import { ASSETS, type Asset } from './wallet-mirror.ts';

/** The treasury's balance; undefined where it could not be read, and then the network decides. */
export type Budget = ReadonlyMap<Asset, bigint> | undefined;

export async function findBudget(app: Mirrorer): Promise<Budget> {
  const treasury = await findTreasury(app);
  if (treasury.kind !== 'done') return undefined;
  const found = await app.network.account(treasury.value.address);
  const there = found.kind === 'done' ? found.value : null;
  if (there === null) return undefined;
  return new Map(ASSETS.map((asset) => [asset, stroopsIn(there, asset)]));
}

interface Draws {
  readonly granted: readonly Transfer[];
  /** The users who have to wait. */
  readonly refused: readonly UserId[];
}

/** In their order, as far as the budget goes; transfers back to the treasury need none. */
export async function drawForSends(
  tx: Tx,
  app: Mirrorer,
  wanted: readonly Transfer[],
  budget: Budget,
): Promise<Draws> {
  const granted = wanted.filter(({ stroops }) => stroops < 0n);
  const refused: UserId[] = [];
  for (const asset of ASSETS) {
    const sends = wanted.filter((each) => each.asset === asset && each.stroops > 0n);
    if (sends.length === 0) continue;
    const share = await lockRoom(tx, app, asset);
    const taken = takeWithin(sends, share, budget?.get(asset) ?? null);
    granted.push(...taken.granted);
    if (taken.drawn > 0n) await addDrawn(tx, asset, taken.drawn);
    for (const { userId, lacks } of taken.refused) {
      refused.push(userId);
      await waitFor(tx, userId, lacks);
    }
    await reportLacking(tx, app, asset, taken.refused);
  }
  return { granted, refused };
}

interface RefusedSend extends Transfer {
  readonly lacks: 'SHARE' | 'TREASURY';
}

function takeWithin(sends: readonly Transfer[], share: bigint | null, treasury: bigint | null) {
  const granted: Transfer[] = [];
  const refused: RefusedSend[] = [];
  let drawn = 0n;
  for (const send of sends) {
    const sum = drawn + send.stroops;
    const isBeyondShare = share !== null && sum > share;
    if (isBeyondShare || (treasury !== null && sum > treasury)) {
      refused.push({ ...send, lacks: isBeyondShare ? 'SHARE' : 'TREASURY' });
      continue;
    }
    granted.push(send);
    drawn = sum;
  }
  return { granted, refused, drawn };
}

/** An exhausted share is escalated once, until it is sufficient again. */
async function reportLacking(
  tx: Tx,
  app: Mirrorer,
  asset: Asset,
  refused: readonly RefusedSend[],
): Promise<void> {
  const lacking = (reason: RefusedSend['lacks']) => {
    const those = refused.filter(({ lacks }) => lacks === reason);
    const sum = those.reduce((total, { stroops }) => total + stroops, 0n);
    return { users: those.length, asset, amount: stroopsText(sum) };
  };
  const treasury = lacking('TREASURY');
  if (treasury.users > 0)
    app.log.error({ marketplaceId: await publicIdOf(tx), ...treasury }, 'treasury balance too low');
  const share = lacking('SHARE');
  if (share.users === 0) return clearShareEscalation(tx, asset);
  if (!(await escalateShare(tx, asset))) return;
  const marketplaceId = await publicIdOf(tx);
  app.log.error({ marketplaceId, ...share }, 'treasury share exhausted');
  await audit(tx, {
    action: 'TREASURY_SHARE_USED_UP',
    resourceId: marketplaceId,
    after: { asset, amount: share.amount },
    result: 'FAILURE',
  });
}
