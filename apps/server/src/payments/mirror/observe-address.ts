//! Reads an address on the network, and computes how much of its balance is known to be ours.
import type { Call } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import type { NetworkAccount, NetworkPayment } from '../../providers/network/ledger-network.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import {
  type MirroredWallet,
  type NetworkDeps,
  postedExcess,
  tallyPayments,
} from './payments-of.ts';
import type { Asset, Count } from './wallet-mirror.ts';

export interface AddressObservation {
  /** The whole balance. */
  readonly actual: bigint;
  readonly count: Count;
  /** The known amount has changed and has to be stored. */
  readonly isNew: boolean;
  /** Payments out of the address that were not signed here, and are not recorded yet. */
  readonly strays: readonly NetworkPayment[];
  /** A new unexplained difference; a later check may explain it. */
  readonly isStrange: boolean;
  /** False when there was too much to read in one pass. */
  readonly isWhole: boolean;
}

export async function findAccount(
  app: NetworkDeps,
  { address }: MirroredWallet,
): Promise<Outcome<NetworkAccount>> {
  const found = await app.network.account(address);
  if (found.kind !== 'done') return found;
  return found.value === null ? unknown('the account is not on the network') : done(found.value);
}

export function stroopsIn({ assets }: NetworkAccount, asset: Asset): bigint {
  return assets.find(({ code }) => code === asset)?.stroops ?? 0n;
}

/**
 * Nothing has moved where the address holds its known amount. Otherwise its payments are summed up
 * first and the address is read again. A payment in between then shows as an excess, never as
 * missing.
 */
export async function observeAddress(
  app: NetworkDeps,
  call: Call,
  wallet: MirroredWallet,
  asset: Asset,
  seen: { readonly account: NetworkAccount; readonly count: Count },
): Promise<Outcome<AddressObservation>> {
  const { count } = seen;
  const actual = stroopsIn(seen.account, asset);
  const unmoved = { actual, count, isNew: false, strays: [], isStrange: false, isWhole: true };
  if (actual === count.mirrored) return done(unmoved);
  const tallied = await tallyPayments(app, call, wallet, asset, count);
  if (tallied.kind !== 'done') return tallied;
  const { counted, cursor, known, unknown: notOurs, strays, isWhole } = tallied.value;
  const partly: Count = { ...count, counted, cursor };
  if (!isWhole) return done({ ...unmoved, count: partly, isNew: true, isWhole });
  const again = await findAccount(app, wallet);
  if (again.kind !== 'done') return again;
  const posted = await read(app, call, (tx) => postedExcess(tx, wallet.userId, asset));
  const ours = counted + known + posted;
  const actualNow = stroopsIn(again.value, asset);
  const unexplained = actualNow - ours - notOurs;
  const unrecorded = strays.filter((each) => isAfter(each.cursor, count.recordedCursor));
  return done({
    actual: actualNow,
    isNew: true,
    count: {
      ...partly,
      mirrored: ours + lackOf(unexplained),
      unexplained,
      recordedCursor: unrecorded.at(-1)?.cursor ?? count.recordedCursor,
    },
    strays: unrecorded,
    isStrange: unexplained !== count.unexplained && unexplained !== 0n,
    isWhole,
  });
}

/** An unexplained excess is not ours to send back; an unexplained lack is not there to send. */
const lackOf = (unexplained: bigint) => (unexplained < 0n ? unexplained : 0n);

/** Cursors are growing numbers, and may have a second number after a dash. */
function isAfter(cursor: string, recorded: string | null): boolean {
  if (recorded === null) return true;
  const [at = 0n, inside = 0n] = cursor.split('-').map(BigInt);
  const [recordedAt = 0n, recordedInside = 0n] = recorded.split('-').map(BigInt);
  return at === recordedAt ? inside > recordedInside : at > recordedAt;
}
