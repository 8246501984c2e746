//! Creates accounts for sealed wallets on the ledger network, many in one transaction. The treasury
//! sponsors their reserves, and a channel lends its sequence number.
import type { Call } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import type { SignedEnvelope } from '../../providers/network/envelope.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { type Settled, settleEnvelope } from '../../providers/network/settle-envelope.ts';
import { type Outcome, unknown } from '../../providers/outcome.ts';
import type { AccountCreator, SealedWallet, Signer } from '../../providers/signing/signer.ts';
import { type HouseWallet, listHouseWallets } from './house-wallet.ts';
import { whenWalletFree } from './wallet-lock.ts';

export interface Sponsor extends Transactor {
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountCreator: AccountCreator;
}

/** The wallets of the house that take part. */
export interface Sponsors {
  readonly treasury: HouseWallet;
  readonly channel: HouseWallet;
}

/** Twenty signatures fit on an envelope; channel and treasury give one each. */
export const WALLETS_PER_ENVELOPE = 18;
const VALID_SECONDS = 120;

/**
 * Runs the work with a channel that no other caller uses until it ends. All its transactions are
 * final, except this purpose's own. Undefined when all are busy or the house has no wallets yet.
 */
export async function withSponsors<T>(
  app: Sponsor,
  purpose: string,
  work: (sponsors: Sponsors) => Promise<T>,
): Promise<T | undefined> {
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) return undefined;
  const channels = house.filter(({ kind }) => kind === 'channel');
  return whenWalletFree(app.pool, channels, { purpose, waitMs: 0 }, (channel) =>
    work({ treasury, channel }),
  );
}

/** Finds the envelope of this purpose and resumes it, or creates one for these wallets. */
export function sponsorAccounts(
  app: Sponsor,
  call: Call,
  purpose: string,
  sponsors: Sponsors,
  wallets: readonly SealedWallet[],
): Promise<Outcome<Settled>> {
  return settleEnvelope(app, call, purpose, () => sign(app, sponsors, wallets));
}

async function sign(
  app: Sponsor,
  { treasury, channel }: Sponsors,
  wallets: readonly SealedWallet[],
): Promise<Outcome<SignedEnvelope>> {
  const found = await app.network.account(channel.address);
  if (found.kind !== 'done') return found;
  if (found.value === null) return unknown('the channel account is not on the network yet');
  const time = await app.network.closeTime();
  if (time.kind !== 'done') return time;
  const unsigned = app.accountCreator.sponsoredAccounts(
    {
      passphrase: app.network.passphrase,
      source: channel.address,
      sequence: found.value.sequence + 1n,
      maxTime: time.value + VALID_SECONDS,
      feePerOperation: 1000,
    },
    treasury.address,
    app.network.usdcIssuer,
    wallets.map(({ address }) => address),
  );
  return app.signer.signOwn(unsigned, [channel, treasury, ...wallets]);
}
