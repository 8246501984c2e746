//! Ensures that an address holds an amount before it pays it: the missing part comes from the
//! treasury, within the marketplace's share. The caller holds the lock of the address's wallet
//! until it has paid.
import {
  assetAt,
  type Cashier,
  findTreasury,
  sendPayments,
} from '../../accounts/custody/send-payments.ts';
import type { Call } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { PersistedEnvelope } from '../../providers/network/envelope.ts';
import { done, type Outcome, refused, unknown } from '../../providers/outcome.ts';
import { type ShareSettings, setDraw } from './treasury-share.ts';
import type { Asset } from './wallet-mirror.ts';

export interface Cover {
  readonly address: string;
  readonly asset: Asset;
  /** The amount that the address must hold. */
  readonly stroops: bigint;
}

const COVERS_MAX = 20;

/**
 * Each transfer has a purpose of its own. A started transfer is finished first; if its amount has
 * been spent since, another follows.
 */
export async function coverAddress(
  app: Cashier & ShareSettings,
  call: Call,
  operation: { readonly kind: string; readonly id: string },
  { address, asset, stroops }: Cover,
): Promise<Outcome<null>> {
  for (let number = 1; number <= COVERS_MAX; number += 1) {
    const purpose = `${operation.kind}:cover-${number}:${operation.id}`;
    const draw = (drawn: bigint) =>
      transact(app, call, (tx) => setDraw(tx, app, purpose, { asset, stroops: drawn }));
    let missing = 0n;
    if ((await PersistedEnvelope.find(app, call, purpose)) === undefined) {
      const found = await assetAt(app, address, asset);
      if (found.kind !== 'done') return found;
      missing = stroops > found.value ? stroops - found.value : 0n;
      // Drawn before it is signed, and given back if nothing is missing after all.
      if (!(await draw(missing)))
        return refused('share', "the marketplace's share of the treasury is used up");
      if (missing === 0n) return done(null);
    }
    const treasury = await findTreasury(app);
    if (treasury.kind !== 'done') return treasury;
    const payments = [{ from: treasury.value, to: address, asset, stroops: missing }];
    const sent = await sendPayments(app, call, purpose, { payments });
    if (sent.kind === 'refused') await draw(0n);
    if (sent.kind !== 'done') return sent;
  }
  return unknown('the address was covered again and again');
}
