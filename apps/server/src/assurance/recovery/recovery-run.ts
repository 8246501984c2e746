//! What every part of a recovery works with.

import type { Instant } from '@holdfast/kernel/clock';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import { suspendUser } from '../../accounts/users/freeze-user.ts';
import type { Engine } from '../../engine/engine.ts';
import type { FoundOrder } from '../../orders/notifications/find-order-by-contract.ts';
import type { WalletOwner } from '../../payments/deposits/external-payments.ts';
import { publicIdOf } from '../../payments/mirror/treasury-share.ts';
import { type Call, NO_MARKETPLACE, type SystemActor, systemCall } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { RECOVERY_FINDING } from '../../platform/process/alarms.ts';
import type { EscrowProvider } from '../../providers/escrow/escrow-provider.ts';
import type { LedgerNetwork, NetworkPayment } from '../../providers/network/ledger-network.ts';
import type { NetworkTransaction } from '../../providers/network/network-transaction.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { insertFinding, type NewFinding } from './recovery-record.ts';

/** A part of the deployment that is not there has nothing to be recovered. */
export interface Recoverer extends Transactor {
  readonly engine: Engine;
  readonly config: Config;
  readonly network: LedgerNetwork | undefined;
  readonly escrows: EscrowProvider | undefined;
  readonly payments: PaymentProvider | undefined;
}

export interface RecoveryRun {
  readonly app: Recoverer;
  readonly lineage: number;
  readonly status: 'PROMOTED' | 'REWOUND';
  /** Records from then on may be missing here: an hour before the first lost write. */
  readonly since: Instant;
  /** Orders of contracts whose deployments have no record here, as they are found. */
  readonly orders: Map<string, FoundOrder>;
}

/** A transaction of ours without a record here, and the money that it moved. */
export interface Unrecorded {
  readonly networkTx: NetworkTransaction;
  readonly transfers: readonly NetworkPayment[];
  /** Those of the addresses in it that are ours. */
  readonly own: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, WalletOwner>;
}

/** A recovery writes while everything else waits for it. */
export function recoveryCall(marketplace: RowNumber = NO_MARKETPLACE): Call<SystemActor> {
  return { ...systemCall(marketplace), worksDuringRecovery: true };
}

/** Once; its log line is an alarm. */
export async function reportFinding(
  { app, lineage }: RecoveryRun,
  tx: Tx,
  finding: NewFinding,
): Promise<void> {
  if (!(await insertFinding(tx, lineage, finding))) return;
  const { kind, reference, resourceId, userId } = finding;
  app.log.error({ lineage, kind, reference, resourceId, userId }, RECOVERY_FINDING);
}

/** Of a user who may have money in the books that was paid out already. */
export async function freezeOwner(
  { app }: RecoveryRun,
  marketplace: RowNumber,
  userId: UserId,
  reason: string,
): Promise<void> {
  await transact(app, recoveryCall(marketplace), (tx) => suspendUser(tx, userId, reason));
}

export async function publicId(
  { app }: RecoveryRun,
  marketplace: RowNumber,
): Promise<MarketplaceId> {
  return (await read(app, recoveryCall(marketplace), publicIdOf)) as MarketplaceId;
}
