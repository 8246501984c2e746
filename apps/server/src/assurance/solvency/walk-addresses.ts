//! The slow walk through all addresses: some at every reading, so that in time each is read. The
//! others count with the mirror's known balance.
//!
//! Only a lack counts against solvency. An excess may be an external payment that will be credited;
//! a run reports it.
import { findMirror } from '../../payments/mirror/wallet-mirror.ts';
import { systemCall } from '../../platform/call.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { ASSETS } from './house-position.ts';
import { moveWalk, nextWallets, saveShortfall, type WalkedWallet } from './solvency-reading.ts';

export interface AddressWalker extends Transactor {
  readonly network: LedgerNetwork;
}

/** Returns how many addresses were read. */
export async function walkAddresses(app: AddressWalker, count: number): Promise<number> {
  const { lacking, next } = await nextWallets(app.pool, count);
  let seen = 0;
  for (const wallet of [...lacking, ...next]) if (await checkAddress(app, wallet)) seen += 1;
  const last = next.length < count ? '' : (next.at(-1)?.address ?? '');
  await moveWalk(app.pool, app.clock.now(), last);
  return seen;
}

async function checkAddress(app: AddressWalker, wallet: WalkedWallet): Promise<boolean> {
  const call = systemCall(wallet.marketplace);
  const before = await read(app, call, (tx) =>
    Promise.all(ASSETS.map((asset) => findMirror(tx, wallet.userId, asset))),
  );
  const found = await app.network.account(wallet.address);
  if (found.kind !== 'done' || found.value === null) return false;
  const { assets } = found.value;
  await transact(app, call, async (tx) => {
    for (const [at, asset] of ASSETS.entries()) {
      const after = await findMirror(tx, wallet.userId, asset);
      const mirrored = before[at]?.mirrored;
      // The address moves, or has moved meanwhile: this reading is inconclusive.
      if (after.isMoving || before[at]?.isMoving || after.mirrored !== mirrored) continue;
      const actual = assets.find(({ code }) => code === asset)?.stroops ?? 0n;
      await saveShortfall(tx, wallet.userId, asset, mirrored - actual);
    }
  });
  return true;
}
