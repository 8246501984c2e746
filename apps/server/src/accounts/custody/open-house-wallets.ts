//! Creates the missing wallets of the house, and lets them hold USDC: a background job.
import type { Clock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { systemCall } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import type { SignedEnvelope } from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { settleEnvelope } from '../../providers/network/settle-envelope.ts';
import type { Outcome } from '../../providers/outcome.ts';
import type { AccountCreator, Signer } from '../../providers/signing/signer.ts';
import {
  HOUSE,
  HOUSE_WALLETS,
  type HouseWallet,
  type HouseWalletKind,
  insertHouseWallet,
  listHouseWallets,
  trustHouseWallet,
} from './house-wallet.ts';

export interface HouseWalletDeps extends Transactor {
  readonly clock: Clock;
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountCreator: AccountCreator;
}

const VALID_SECONDS = 120;

export async function openHouseWallets(app: HouseWalletDeps): Promise<number> {
  const known = await listHouseWallets(app.pool);
  const existing = new Set(known.map(({ kind, number }) => `${kind} ${number}`));
  let created = 0;
  for (const [kind, count] of Object.entries(HOUSE_WALLETS) as [HouseWalletKind, number][]) {
    for (let number = 1; number <= count; number += 1) {
      if (existing.has(`${kind} ${number}`)) continue;
      const sealed = await app.signer.newWallet(newId('wal', app.clock.now()));
      await insertHouseWallet(app.pool, app.clock, { ...sealed, kind, number });
      created += 1;
    }
  }
  for (const wallet of known)
    if (wallet.kind !== 'channel') created += await trustUsdc(app, wallet);
  return created;
}

/** Channels only lend their sequence numbers. All others must be able to hold USDC. */
async function trustUsdc(app: HouseWalletDeps, wallet: HouseWallet): Promise<number> {
  if (wallet.trustedAt !== null) return 0;
  const found = await app.network.account(wallet.address);
  // Not on the network yet: it needs its first XLM from outside.
  if (found.kind !== 'done' || found.value === null) return 0;
  const { sequence, hasUsdcTrustline } = found.value;
  if (!hasUsdcTrustline) {
    const settled = await settleEnvelope(app, systemCall(HOUSE), `trustline:${wallet.id}`, () =>
      sign(app, wallet, sequence + 1n),
    );
    if (settled.kind !== 'done') return 0;
  }
  await trustHouseWallet(app.pool, app.clock, wallet.id);
  return 1;
}

async function sign(
  app: HouseWalletDeps,
  wallet: HouseWallet,
  sequence: bigint,
): Promise<Outcome<SignedEnvelope>> {
  const time = await app.network.closeTime();
  if (time.kind !== 'done') return time;
  const unsigned = app.accountCreator.usdcTrustline(
    {
      passphrase: app.network.passphrase,
      source: wallet.address,
      sequence,
      maxTime: time.value + VALID_SECONDS,
      feePerOperation: 1000,
    },
    app.network.usdcIssuer,
  );
  return app.signer.signOwn(unsigned, [wallet]);
}
