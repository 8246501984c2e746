//! Records the escrow provider's fee on each contract that has paid, as the network shows it.
//!
//! Contracts pay sellers, buyers and the platform's address, which are ours, and the provider's,
//! which is not. So all payments from a contract to external addresses are the provider's fee, to
//! the stroop.
import { systemCall } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import { listUnrecorded, ownAmong, type PaidContract, recordFee } from './contract-fee.ts';

export interface FeeDeps extends Transactor {
  readonly network: LedgerNetwork;
}

const AT_MOST = 200;

/**
 * Returns how many were recorded. Contracts that the network cannot show now are read again later.
 */
export async function recordContractFees(app: FeeDeps): Promise<number> {
  let recorded = 0;
  for (const contract of await listUnrecorded(app.pool, AT_MOST)) {
    const fee = await feeOf(app, contract);
    if (fee.kind !== 'done') {
      app.log.warn(
        { escrowId: contract.escrowId, reason: fee.reason },
        'contract fee not available',
      );
      continue;
    }
    await transact(app, systemCall(contract.marketplace), (tx) =>
      recordFee(tx, contract.escrowId, fee.value),
    );
    recorded += 1;
  }
  return recorded;
}

async function feeOf(
  { pool, network }: FeeDeps,
  { contractId, hashes }: PaidContract,
): Promise<Outcome<bigint>> {
  if (hashes.length === 0) return unknown('no transaction of ours has paid it');
  let fee = 0n;
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
    for (const { to, stroops } of paid) if (!own.has(to)) fee += stroops;
  }
  return done(fee);
}
