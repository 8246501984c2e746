//! The slow walk through all addresses: some at every reading, so that in time each was read. The
//! rest count as the mirror knows them.
//!
//! Only what an address lacks counts against solvency. What it has too much a stranger may have
//! sent, and will be credited; a run tells of it.
import { findMirror } from '../mirror/wallet-mirror.ts';
import { systemCall } from '../platform/call.ts';
import { read, type Transactor, transact } from '../platform/transact.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { ASSETS } from './house-position.ts';
import { keepShortfall, moveWalk, nextWallets, type WalkedWallet } from './solvency-reading.ts';

export interface AddressWalker extends Transactor {
  readonly network: LedgerNetwork;
}

/** Answers how many addresses were read. */
export async function walkAddresses(app: AddressWalker, count: number): Promise<number> {
  const { lacking, next } = await nextWallets(app.pool, count);
  let seen = 0;
  for (const wallet of [...lacking, ...next]) if (await lookAt(app, wallet)) seen += 1;
  const last = next.length < count ? '' : (next.at(-1)?.address ?? '');
  await moveWalk(app.pool, app.clock.now(), last);
  return seen;
}

async function lookAt(app: AddressWalker, wallet: WalkedWallet): Promise<boolean> {
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
      // It moves, or was moved meanwhile: this look tells nothing.
      if (after.isMoving || before[at]?.isMoving || after.mirrored !== mirrored) continue;
      const actual = assets.find(({ code }) => code === asset)?.stroops ?? 0n;
      await keepShortfall(tx, wallet.userId, asset, mirrored - actual);
    }
  });
  return true;
}
