//! Notes what the escrow provider kept of each contract that has paid, as the network shows it.
//!
//! Contracts pay sellers, buyers and the platform's address, which are ours, and the provider's,
//! which is not: what went out of a contract to strangers is the provider's fee, to the stroop.
import { systemCall } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { done, type Outcome, unknown } from '../providers/outcome.ts';
import { listUnnoted, noteFee, ownAmong, type PaidContract } from './contract-fee.ts';

export interface FeeNoter extends Transactor {
  readonly network: LedgerNetwork;
}

const AT_MOST = 200;

/** Answers how many were noted. What the network does not tell now is asked for again. */
export async function recordContractFees(app: FeeNoter): Promise<number> {
  let noted = 0;
  for (const contract of await listUnnoted(app.pool, AT_MOST)) {
    const kept = await keptOf(app, contract);
    if (kept.kind !== 'done') {
      app.log.warn({ escrowId: contract.escrowId, reason: kept.reason }, 'await contract fee');
      continue;
    }
    await transact(app, systemCall(contract.marketplace), (tx) =>
      noteFee(tx, contract.escrowId, kept.value),
    );
    noted += 1;
  }
  return noted;
}

async function keptOf(
  { pool, network }: FeeNoter,
  { contractId, hashes }: PaidContract,
): Promise<Outcome<bigint>> {
  if (hashes.length === 0) return unknown('no transaction of ours has paid it');
  let kept = 0n;
  for (const hash of hashes) {
    const payments = await network.paymentsOf(hash);
    if (payments.kind !== 'done') return payments;
    if (payments.value === null) return unknown(`the network does not show ${hash}`);
    const paid = payments.value.filter(
      ({ from, asset }) => from === contractId && asset === 'USDC',
    );
    const own = await ownAmong(
      pool,
      paid.map(({ to }) => to),
    );
    for (const { to, stroops } of paid) if (!own.has(to)) kept += stroops;
  }
  return done(kept);
}
