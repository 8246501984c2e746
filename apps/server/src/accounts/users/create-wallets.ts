//! Creates wanted wallets on the ledger network: a background job, many accounts in one
//! transaction.
//!
//! Seeds are sealed and stored before anything is built; the signed envelope is stored before it is
//! sent. After a crash at any point, the next run finds the same envelope and continues from there.
import { newId } from '@holdfast/kernel/ids';
import { type Call, systemCall } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import {
  type Sponsor,
  sponsorAccounts,
  WALLETS_PER_ENVELOPE,
  withSponsors,
} from '../custody/sponsor-accounts.ts';
import { withLock } from '../custody/wallet-lock.ts';
import {
  areSeedsSafe,
  type KeyedWallet,
  keyWallet,
  listUnreadyWallets,
  marketplacesWantingWallets,
  readyWallet,
  recordStoredPosition,
  regroupWallet,
  type SealableWallet,
} from './wallet.ts';
import { emitWalletLinked } from './wallet-linked.ts';

const MARKETPLACES_AT_ONCE = 4;
const RETRY_ALONE_MS = 30_000;
const RETRY_UNSAFE_MS = 1000;
/** Each wallet is guarded by its status; many users that are created at once must not conflict. */
const GUARDED = 'read committed';

interface WalletCreator extends Sponsor {
  readonly config: Pick<Config, 'HOLDFAST_DURABILITY'>;
}

/** For users that were created while no pooled wallet was available. */
export async function createWallets(app: WalletCreator): Promise<number> {
  const markets = await marketplacesWantingWallets(app.pool);
  const created = await mapAtOnce(MARKETPLACES_AT_ONCE, markets, (each) => createFor(app, each));
  return created.reduce((sum, count) => sum + count, 0);
}

async function createFor(app: WalletCreator, marketplace: string): Promise<number> {
  const call = systemCall(marketplace);
  // One worker at a time for a marketplace; the channel is held until the transaction is final.
  const outcome = await withLock(app.pool, `wallets ${marketplace}`, async () => {
    const group = await claimGroup(app, call);
    const purpose = group[0]?.purpose ?? null;
    if (purpose === null) return 0;
    await transact(app, call, (tx) => recordStoredPosition(tx, group), GUARDED);
    return withSponsors(app, purpose, async (sponsors) => {
      const sealed = group.flatMap((wallet) => (wallet.sealed === null ? [] : [wallet.sealed]));
      const settled = await sponsorAccounts(app, call, purpose, sponsors, sealed);
      if (settled.kind === 'done') return finish(app, call, group);
      if (settled.kind === 'refused') await regroup(app, call, group);
      app.log.warn(
        { outcome: settled.kind, reason: settled.reason, wallets: group.length },
        'wallet creation failed',
      );
      return 0;
    });
  });
  return outcome ?? 0;
}

/**
 * The wallets of one open envelope, or else wanted ones that get their keys now. Keys are created
 * before the transaction: wrapping them may call a key service.
 */
async function claimGroup(app: Sponsor, call: Call): Promise<SealableWallet[]> {
  const wallets = await read(app, call, (tx) => listUnreadyWallets(tx, WALLETS_PER_ENVELOPE));
  const open = wallets.find(({ purpose }) => purpose !== null)?.purpose;
  if (open !== undefined) return wallets.filter(({ purpose }) => purpose === open);
  const purpose = newId('op', app.clock.now());
  const keyed = await Promise.all(
    wallets.map(async (wallet): Promise<KeyedWallet> => {
      const sealed = await app.signer.newWallet(wallet.id);
      return { ...wallet, status: 'KEYED', address: sealed.address, sealed, purpose };
    }),
  );
  return transact(
    app,
    call,
    async (tx) => {
      const group: SealableWallet[] = [];
      for (const wallet of keyed) if (await keyWallet(tx, wallet, purpose)) group.push(wallet);
      return group;
    },
    GUARDED,
  );
}

/** No user learns an address before its seed would survive the loss of this server. */
async function finish(
  app: WalletCreator,
  call: Call,
  group: readonly SealableWallet[],
): Promise<number> {
  return transact(
    app,
    call,
    async (tx) => {
      if (app.config.HOLDFAST_DURABILITY !== 'none' && !(await areSeedsSafe(tx, group))) {
        for (const { id, purpose } of group)
          await regroupWallet(tx, id, purpose, tx.now + RETRY_UNSAFE_MS);
        return 0;
      }
      let created = 0;
      for (const wallet of group) {
        if (wallet.address === null || !(await readyWallet(tx, wallet.id))) continue;
        await emitWalletLinked(tx, wallet.userId, wallet.address);
        created += 1;
      }
      return created;
    },
    GUARDED,
  );
}

/**
 * A refused group is retried wallet by wallet and after a while, so that a bad wallet delays no
 * other. Wallets that are on the network after all become ready.
 */
async function regroup(
  app: WalletCreator,
  call: Call,
  group: readonly SealableWallet[],
): Promise<void> {
  const there: SealableWallet[] = [];
  for (const wallet of group) {
    const found = await app.network.account(wallet.address ?? '');
    if (found.kind === 'done' && found.value?.hasUsdcTrustline) there.push(wallet);
  }
  if (there.length > 0) await finish(app, call, there);
  const delayMs = group.length === 1 ? RETRY_ALONE_MS : 0;
  await transact(
    app,
    call,
    async (tx) => {
      for (const wallet of group)
        await regroupWallet(tx, wallet.id, newId('op', tx.now), tx.now + delayMs);
    },
    GUARDED,
  );
}
