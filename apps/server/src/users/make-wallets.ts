//! Brings wanted wallets to the ledger network: a background job, many accounts in one transaction.
//!
//! Seeds are sealed and written before anything is built; the signed envelope is written before it
//! is sent. Whatever dies in between, the next run finds the same envelope and goes on from there.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { listHouseWallets } from '../custody/house-wallet.ts';
import { withFreeWallet, withLock } from '../custody/wallet-lock.ts';
import { type Call, systemCall } from '../platform/call.ts';
import { emit } from '../platform/outbox.ts';
import { read, type Transactor, transact } from '../platform/transact.ts';
import type { SignedEnvelope } from '../providers/envelope.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { type Outcome, unknown } from '../providers/outcome.ts';
import { settleEnvelope } from '../providers/settle-envelope.ts';
import type { AccountMaker, Signer } from '../providers/signer.ts';
import {
  type KeyedWallet,
  keyWallet,
  listUnreadyWallets,
  marketplacesWantingWallets,
  readyWallet,
  regroupWallet,
  type Wallet,
} from './wallet.ts';

export interface WalletMaker extends Transactor {
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountMaker: AccountMaker;
}

/** Twenty signatures fit on an envelope; channel and treasury give one each. */
const WALLETS_PER_ENVELOPE = 18;
const MARKETPLACES_AT_ONCE = 4;
const VALID_SECONDS = 120;
const RETRY_ALONE_MS = 30_000;

export async function makeWallets(app: WalletMaker): Promise<number> {
  const markets = await marketplacesWantingWallets(app.pool);
  let made = 0;
  for (let at = 0; at < markets.length; at += MARKETPLACES_AT_ONCE) {
    const counts = await Promise.all(
      markets.slice(at, at + MARKETPLACES_AT_ONCE).map((each) => makeFor(app, each)),
    );
    made += counts.reduce((sum, count) => sum + count, 0);
  }
  return made;
}

async function makeFor(app: WalletMaker, marketplace: string): Promise<number> {
  const call = systemCall(marketplace);
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) return 0;
  const channels = house.filter(({ kind }) => kind === 'channel');
  // One worker at a time for a marketplace; the channel is held until the transaction is final.
  const outcome = await withLock(app.pool, `wallets ${marketplace}`, () =>
    withFreeWallet(app.pool, channels, async (channel) => {
      const group = await claimGroup(app, call);
      const [first] = group;
      if (first?.purpose === undefined || first.purpose === null) return 0;
      const settled = await settleEnvelope(app, call, first.purpose, () =>
        sign(app, channel, treasury, group),
      );
      if (settled.kind === 'done') return finish(app, call, group);
      if (settled.kind === 'refused') await regroup(app, call, group);
      app.log.warn(
        { outcome: settled.kind, reason: settled.reason, wallets: group.length },
        'make wallets',
      );
      return 0;
    }),
  );
  return outcome ?? 0;
}

/**
 * The wallets of one open envelope, or else wanted ones that are given their keys now. Keys are
 * made before the transaction: wrapping them may ask a key service.
 */
async function claimGroup(app: WalletMaker, call: Call): Promise<Wallet[]> {
  const wallets = await read(app, call, (tx) => listUnreadyWallets(tx, WALLETS_PER_ENVELOPE));
  const open = wallets.find(({ purpose }) => purpose !== null)?.purpose;
  if (open !== undefined) return wallets.filter(({ purpose }) => purpose === open);
  const purpose = newId('op');
  const keyed = await Promise.all(
    wallets.map(async (wallet): Promise<KeyedWallet> => {
      const sealed = await app.signer.newWallet(wallet.id);
      return { ...wallet, status: 'KEYED', address: sealed.address, sealed, purpose };
    }),
  );
  return transact(app, call, async (tx) => {
    const group: Wallet[] = [];
    for (const wallet of keyed) if (await keyWallet(tx, wallet, purpose)) group.push(wallet);
    return group;
  });
}

async function sign(
  app: WalletMaker,
  channel: { readonly address: string } & Parameters<Signer['signOwn']>[1][number],
  treasury: Parameters<Signer['signOwn']>[1][number],
  group: readonly Wallet[],
): Promise<Outcome<SignedEnvelope>> {
  const found = await app.network.account(channel.address);
  if (found.kind !== 'done') return found;
  if (found.value === null) return unknown('the channel account is not on the network yet');
  const time = await app.network.closeTime();
  if (time.kind !== 'done') return time;
  const sealed = group.flatMap((wallet) => (wallet.sealed === null ? [] : [wallet.sealed]));
  const unsigned = app.accountMaker.sponsoredAccounts(
    {
      passphrase: app.network.passphrase,
      source: channel.address,
      sequence: found.value.sequence + 1n,
      maxTime: time.value + VALID_SECONDS,
      feePerOperation: 1000,
    },
    treasury.address,
    app.network.usdcIssuer,
    sealed.map(({ address }) => address),
  );
  return app.signer.signOwn(unsigned, [channel, treasury, ...sealed]);
}

async function finish(app: WalletMaker, call: Call, group: readonly Wallet[]): Promise<number> {
  return transact(app, call, async (tx) => {
    let made = 0;
    for (const wallet of group) {
      if (wallet.address === null || !(await readyWallet(tx, wallet.id))) continue;
      await emit(
        tx,
        'user.ledger_linked',
        wallet.userId,
        linked(wallet.userId, wallet.address, tx.now),
      );
      await audit(tx, {
        action: 'LEDGER_ADDRESS_LINKED',
        resourceId: wallet.userId,
        after: { ledgerAddress: wallet.address },
      });
      made += 1;
    }
    return made;
  });
}

const linked = (userId: Wallet['userId'], ledgerAddress: string, at: Instant) => ({
  userId,
  ledgerAddress,
  linkedAt: instantText(at),
});

/**
 * A group that was refused is tried again one by one and after a while, so that a bad wallet stands
 * alone and keeps nobody waiting. What the network has after all is ready.
 */
async function regroup(app: WalletMaker, call: Call, group: readonly Wallet[]): Promise<void> {
  const there: Wallet[] = [];
  for (const wallet of group) {
    const found = await app.network.account(wallet.address ?? '');
    if (found.kind === 'done' && found.value?.hasUsdcTrustline) there.push(wallet);
  }
  if (there.length > 0) await finish(app, call, there);
  const delayMs = group.length === 1 ? RETRY_ALONE_MS : 0;
  await transact(app, call, async (tx) => {
    for (const wallet of group) await regroupWallet(tx, wallet.id, newId('op'), tx.now + delayMs);
  });
}
