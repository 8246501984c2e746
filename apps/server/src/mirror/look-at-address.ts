//! Looks at an address on the network: how much of what is there is known to be ours.
import type { Call } from '../platform/call.ts';
import { read } from '../platform/transact.ts';
import type { NetworkAccount, NetworkPayment } from '../providers/ledger-network.ts';
import { done, type Outcome, unknown } from '../providers/outcome.ts';
import { type Looker, type MirroredWallet, postedExcess, tallyPayments } from './payments-of.ts';
import type { Asset, Count } from './wallet-mirror.ts';

export interface Look {
  /** All that is there. */
  readonly actual: bigint;
  readonly count: Count;
  /** What is known has changed, and has to be kept. */
  readonly isNew: boolean;
  /** Payments out of the address that nobody here has signed, not noted before. */
  readonly strays: readonly NetworkPayment[];
  /** Something is unexplained that was not before; another look may explain it. */
  readonly isStrange: boolean;
  /** False when there was too much to read at once. */
  readonly isWhole: boolean;
}

export async function findAccount(
  app: Looker,
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
 * Nothing has moved where the address holds what is known to be there. Otherwise its payments are
 * added up first and the address is read again afterwards: what came in between shows as too much,
 * never as missing.
 */
export async function lookAtAddress(
  app: Looker,
  call: Call,
  wallet: MirroredWallet,
  asset: Asset,
  seen: { readonly account: NetworkAccount; readonly count: Count },
): Promise<Outcome<Look>> {
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
  const unnoted = strays.filter((each) => isAfter(each.cursor, count.notedCursor));
  return done({
    actual: actualNow,
    isNew: true,
    count: {
      ...partly,
      mirrored: ours + lackOf(unexplained),
      unexplained,
      notedCursor: unnoted.at(-1)?.cursor ?? count.notedCursor,
    },
    strays: unnoted,
    isStrange: unexplained !== count.unexplained && unexplained !== 0n,
    isWhole,
  });
}

/** What nobody can explain is not ours to send back; what is missing is not there. */
const lackOf = (unexplained: bigint) => (unexplained < 0n ? unexplained : 0n);

/** Cursors are numbers that grow, and may carry a second one behind a dash. */
function isAfter(cursor: string, noted: string | null): boolean {
  if (noted === null) return true;
  const [at = 0n, inside = 0n] = cursor.split('-').map(BigInt);
  const [notedAt = 0n, notedInside = 0n] = noted.split('-').map(BigInt);
  return at === notedAt ? inside > notedInside : at > notedAt;
}
