//! Finds the transactions that have no record here, and stores an envelope for each: a part of the
//! recovery. Afterwards their accounts may send again, and nothing is sent a second time.
//!
//! Every transaction of ours has an account of the house in it: as its source, as the payer of its
//! fee, or as a party. So the lists of these few accounts show them all.
import { HOUSE, listHouseAddresses } from '../../accounts/custody/house-wallet.ts';
import {
  ownAddresses,
  type WalletOwner,
  walletOwners,
} from '../../payments/deposits/external-payments.ts';
import { markMirrorDue } from '../../payments/mirror/due-user.ts';
import { transact } from '../../platform/database/transact.ts';
import { readContractCall } from '../../providers/escrow/read-contract-call.ts';
import { knownHashes, storeUnrecorded } from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import type { NetworkTransaction } from '../../providers/network/network-transaction.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import { type RecoveryRun, recoveryCall } from './recovery-run.ts';
import { settleCall } from './settle-call.ts';
import { settlePayout } from './settle-payout.ts';

const PER_PAGE = 200;

/** Safe to repeat: what is stored is not found again. Returns how many were found. */
export async function findTransactions(
  run: RecoveryRun,
  network: LedgerNetwork,
): Promise<Outcome<number>> {
  const listed = new Map<string, NetworkTransaction>();
  for (const { address } of await listHouseAddresses(run.app.pool)) {
    const some = await listSince(run, network, address);
    if (some.kind !== 'done') return some;
    for (const each of some.value) listed.set(each.hash, each);
  }
  let count = 0;
  for (const networkTx of await unknownOnes(run, [...listed.values()])) {
    const settled = await settle(run, network, networkTx);
    if (settled.kind !== 'done') return settled;
    if (settled.value) count += 1;
  }
  return done(count);
}

async function listSince(
  { since }: RecoveryRun,
  network: LedgerNetwork,
  address: string,
): Promise<Outcome<NetworkTransaction[]>> {
  const found: NetworkTransaction[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await network.transactions(address, { cursor, limit: PER_PAGE });
    if (page.kind !== 'done') return page;
    found.push(...page.value.filter(({ at }) => at >= since));
    const last = page.value.at(-1);
    if (last === undefined || last.at < since || page.value.length < PER_PAGE) return done(found);
    cursor = last.cursor;
  }
}

/** In their order: a contract is deployed before it is funded. */
async function unknownOnes(
  { app }: RecoveryRun,
  listed: readonly NetworkTransaction[],
): Promise<NetworkTransaction[]> {
  const hashes = listed.flatMap(({ hash, innerHash }) => [hash, innerHash ?? hash]);
  const known = await knownHashes(app.pool, hashes);
  return listed
    .filter(({ hash, innerHash }) => !known.has(hash) && !known.has(innerHash ?? hash))
    .sort((a, b) => (BigInt(a.cursor) < BigInt(b.cursor) ? -1 : 1));
}

/** False for one that is not ours: any external payer may pay to an address of the house. */
async function settle(
  run: RecoveryRun,
  network: LedgerNetwork,
  networkTx: NetworkTransaction,
): Promise<Outcome<boolean>> {
  const { app } = run;
  const payments = networkTx.isApplied ? await network.paymentsOf(networkTx.hash) : done([]);
  if (payments.kind !== 'done') return payments;
  const transfers = (payments.value ?? []).filter(({ stroops }) => stroops > 0n);
  const parties = transfers.flatMap(({ from, to }) => [from, to]);
  const own = await ownAddresses(app.pool, [...parties, networkTx.source]);
  if (!own.has(networkTx.source)) return done(false);
  const owners = await walletOwners(app.pool, parties);
  const unrecorded = { networkTx, transfers, own, owners };
  if (networkTx.isApplied) {
    await markMoved(run, owners);
    const call = readContractCall(networkTx.xdr, network.passphrase);
    if (call !== undefined) await settleCall(run, network, unrecorded, call);
    else await settlePayout(run, unrecorded);
  }
  await storeForHouse(run, networkTx);
  return done(true);
}

/** The mirror compares their addresses again. */
async function markMoved(
  { app }: RecoveryRun,
  owners: ReadonlyMap<string, WalletOwner>,
): Promise<void> {
  for (const { marketplace, userId } of owners.values())
    await transact(app, recoveryCall(marketplace), (tx) => markMirrorDue(tx, userId));
}

/** One that belongs to no purpose here: covers, transfers between our own, new accounts. */
async function storeForHouse({ app }: RecoveryRun, networkTx: NetworkTransaction): Promise<void> {
  await transact(app, recoveryCall(HOUSE), (tx) =>
    storeUnrecorded(tx, `recovered:${networkTx.hash}`, networkTx),
  );
}
