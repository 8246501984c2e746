//! Takes one step of an escrow on the network: the provider builds the transaction. It is then
//! checked, signed with its wallet, stored, sent and looked up.
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '@holdfast/kernel/assert';
import { listHouseWallets } from '../../accounts/custody/house-wallet.ts';
import { pickFor } from '../../accounts/custody/pick-for.ts';
import { whenWalletFree } from '../../accounts/custody/wallet-lock.ts';
import { findWalletAt } from '../../accounts/users/wallet.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ShareSettings } from '../../payments/mirror/treasury-share.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import {
  type DeployStep,
  type EscrowProvider,
  type EscrowStep,
  type EscrowTerms,
  type FundStep,
  signerOf,
} from '../../providers/escrow/escrow-provider.ts';
import {
  PersistedEnvelope,
  type SignedEnvelope,
  unrecordedDeployment,
  unrecordedFunding,
} from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { settleEnvelope } from '../../providers/network/settle-envelope.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import type { AccountCreator, SealedWallet, Signer } from '../../providers/signing/signer.ts';
import type { EscrowDeployment } from '../model/escrow.ts';
import type { Order } from '../model/order.ts';

/** The dependencies of a worker that the escrow sagas need. */
export interface EscrowWorker extends Transactor, ShareSettings {
  readonly engine: Engine;
  readonly network: LedgerNetwork;
  readonly escrows: EscrowProvider;
  readonly signer: Signer;
  readonly accountCreator: AccountCreator;
}

export interface StepTaken {
  readonly hash: string;
  /** For a deployment: the contract in our own envelope. No other source is trusted. */
  readonly contractId?: string;
}

/** One transaction per wallet at a time: a wallet that stays busy leaves the outcome unknown. */
export async function takeStep(
  app: EscrowWorker,
  call: Call,
  purpose: string,
  step: EscrowStep,
): Promise<Outcome<StepTaken>> {
  const signer = { address: signerOf(step) };
  const taken = await whenWalletFree(app.pool, [signer], { purpose }, async () => {
    if (step.step === 'deploy') await takeOverUnrecorded(app, call, purpose, step);
    return settleStep(app, call, purpose, step);
  });
  return taken ?? unknown('the wallet is busy');
}

/** The same, for a caller that holds the wallet's lock and has taken over what was unrecorded. */
export async function settleStep(
  app: EscrowWorker,
  call: Call,
  purpose: string,
  step: EscrowStep,
): Promise<Outcome<StepTaken>> {
  const settled = await settleEnvelope(app, call, purpose, () => sign(app, call, purpose, step));
  if (settled.kind !== 'done') return settled;
  const { hash } = settled.value;
  await notifyProvider(app, hash);
  if (step.step !== 'deploy') return done({ hash });
  const found = await PersistedEnvelope.find(app, call, purpose);
  const contractId = found && app.signer.contractIdOf(found.envelope.xdr);
  assert(contractId !== undefined, 'a signed deployment names its contract');
  return done({ hash, contractId });
}

/**
 * After a restore, a deployment or a funding may have happened that has no record here but the one
 * that the recovery stored. Repeated, it would take the buyer's money twice. True when this purpose
 * has an envelope.
 */
export async function takeOverUnrecorded(
  app: EscrowWorker,
  call: Call,
  purpose: string,
  step: DeployStep | FundStep,
): Promise<boolean> {
  const unrecorded =
    step.step === 'deploy'
      ? unrecordedDeployment(step.terms.engagementId)
      : unrecordedFunding(step.contractId);
  return PersistedEnvelope.takeOver(app, call, unrecorded, purpose);
}

const NOTIFY_TIMEOUT_MS = 3000;

/** The provider would find the transaction by itself; this makes it sooner. The wait is short. */
export async function notifyProvider({ escrows }: EscrowWorker, hash: string): Promise<void> {
  const late = sleep(NOTIFY_TIMEOUT_MS, undefined, { ref: false });
  await Promise.race([escrows.recordTransaction(hash), late]);
}

async function sign(
  app: EscrowWorker,
  call: Call,
  purpose: string,
  step: EscrowStep,
): Promise<Outcome<SignedEnvelope>> {
  const built = await app.escrows.build(step);
  if (built.kind !== 'done') return built;
  const time = await app.network.closeTime();
  if (time.kind !== 'done') return time;
  const wallet = await walletAt(app, call, signerOf(step));
  const feePayer = await feePayerOf(app, purpose);
  if (feePayer === undefined) return unknown('no channel account exists yet');
  const unsignedXdr = built.value.xdr;
  return app.signer.signStep({ wallet, step, unsignedXdr, now: time.value, purpose, feePayer });
}

/** A user's wallet, or one of the house. */
async function walletAt(app: Transactor, call: Call, address: string): Promise<SealedWallet> {
  const owned = await read(app, call, (tx) => findWalletAt(tx, address));
  if (owned?.sealed) return owned.sealed;
  const house = await listHouseWallets(app.pool);
  const wallet = house.find((each) => each.address === address);
  assert(wallet !== undefined, 'every role of a contract is held by a wallet of ours');
  return wallet;
}

/** Paying a fee uses no sequence number, so any channel works, busy or not. */
async function feePayerOf(app: Transactor, purpose: string): Promise<SealedWallet | undefined> {
  const channels = (await listHouseWallets(app.pool)).filter(({ kind }) => kind === 'channel');
  return pickFor(purpose, channels);
}

const KINDS = { SINGLE_RELEASE: 'single-release', MULTI_RELEASE: 'multi-release' } as const;

export function kindOf({ contractType }: Pick<EscrowDeployment, 'contractType'>) {
  return KINDS[contractType];
}

/** The terms a contract is deployed with: the order as agreed, which never changes. */
export function termsOf(order: Order, escrow: EscrowDeployment): EscrowTerms {
  const { id, title, description, milestones } = order;
  const stroops = stroopsOf(escrow.amount);
  return {
    kind: kindOf(escrow),
    engagementId: id,
    title,
    description: description ?? '',
    roles: {
      approver: escrow.buyerAddress,
      serviceProvider: escrow.sellerAddress,
      platformAddress: escrow.platformAddress,
      releaseSigner: escrow.buyerAddress,
      disputeResolver: escrow.resolverAddress,
      receiver: escrow.sellerAddress,
    },
    stroops,
    feeBasisPoints: escrow.feeRate,
    // A contract has at least one milestone; ours are found by their reference.
    milestones:
      milestones.length === 0
        ? [{ description: title, stroops }]
        : milestones.map(({ ref, amount }) => ({ description: ref, stroops: stroopsOf(amount) })),
  };
}
