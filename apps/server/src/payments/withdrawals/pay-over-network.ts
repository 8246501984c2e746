//! Pays a withdrawal out over the ledger network: from the user's own address, through a channel
//! whose fee the house pays. The envelope is stored before it is sent; the network decides the
//! outcome.
import type { UserId } from '@holdfast/kernel/ids';
import { sendPayments } from '../../accounts/custody/send-payments.ts';
import { whenWalletFree } from '../../accounts/custody/wallet-lock.ts';
import { findSealedWallet } from '../../accounts/users/wallet.ts';
import { read, type Tx } from '../../platform/database/transact.ts';
import { PersistedEnvelope } from '../../providers/network/envelope.ts';
import { stroopsOf } from '../../providers/network/stroops.ts';
import { done, type Outcome, unknown } from '../../providers/outcome.ts';
import type { SealedWallet } from '../../providers/signing/signer.ts';
import { coverAddress } from '../mirror/cover-address.ts';
import { markMirrorDue } from '../mirror/due-user.ts';
import { completeWithdrawal } from './end-withdrawal.ts';
import { giveBack, type PayoutRun, resultOf } from './payout-run.ts';
import { hasEnded, lockWithdrawal, type Withdrawal } from './withdrawal.ts';

interface Paid {
  readonly hash: string;
}

export async function payOverNetwork(run: PayoutRun, withdrawal: Withdrawal): Promise<unknown> {
  const { id, userId } = withdrawal;
  const paid = await run.providerStep(
    'pay',
    { provider: 'ledger_network', movesMoney: true },
    (purpose) => coverAndPay(run, purpose, withdrawal),
  );
  return run.lastStep('paid', async (tx) => {
    // Even a failed attempt may have changed the address, so the mirror has to check it.
    await markMirrorDue(tx, userId);
    if (paid.kind === 'refused') return giveBack(tx, id, paid);
    await confirmPaid(tx, id, paid.value);
    return resultOf(tx, id);
  });
}

/** Holds one lock for both steps, so that no other worker spends the cover. */
async function coverAndPay(
  run: PayoutRun,
  purpose: string,
  withdrawal: Withdrawal,
): Promise<Outcome<Paid>> {
  const { app } = run;
  const wallet = await walletOf(run, withdrawal.userId);
  if (wallet === null) return unknown('the wallet is being created');
  const paid = await whenWalletFree(app.pool, [wallet], { purpose }, () =>
    payLocked(run, purpose, withdrawal, wallet),
  );
  return paid ?? unknown('the wallet is busy');
}

async function payLocked(
  run: PayoutRun,
  purpose: string,
  { id, amount, currency, destination }: Withdrawal,
  wallet: SealedWallet,
): Promise<Outcome<Paid>> {
  const { app, call, operation } = run;
  const asset = currency === 'XLM' ? 'XLM' : 'USDC';
  const stroops = stroopsOf(amount);
  const started = await PersistedEnvelope.find(app, call, purpose);
  const cover = { address: wallet.address, asset, stroops } as const;
  // A payment that was signed is finished first, even if the address no longer holds enough.
  const covered = started ? done(null) : await coverAddress(app, call, operation, cover);
  if (covered.kind !== 'done') return covered;
  const payments = [{ from: wallet, to: destination.ref, asset, stroops } as const];
  const order = { payments, memo: destination.memo, withdrawalId: id };
  const sent = await sendPayments(app, call, purpose, order);
  return sent.kind === 'done' ? done({ hash: sent.value.hash }) : sent;
}

async function walletOf({ app, call }: PayoutRun, userId: UserId): Promise<SealedWallet | null> {
  const wallet = await read(app, call, (tx) => findSealedWallet(tx, userId));
  return wallet?.status === 'READY' ? wallet.sealed : null;
}

async function confirmPaid(tx: Tx, id: Withdrawal['id'], { hash }: Paid): Promise<void> {
  const withdrawal = await lockWithdrawal(tx, id);
  if (hasEnded(withdrawal)) return;
  await completeWithdrawal(tx, withdrawal, { transactionHash: hash, nextPollAt: null });
}
