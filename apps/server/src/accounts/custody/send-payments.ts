//! Payments out of wallets of the house or of users. All are in one transaction, which a channel
//! carries and which is stored before it is sent.
import type { Call } from '../../platform/call.ts';
import type { Transactor } from '../../platform/database/transact.ts';
import type { SignedEnvelope } from '../../providers/network/envelope.ts';
import type { LedgerNetwork, NetworkAsset } from '../../providers/network/ledger-network.ts';
import { type Settled, settleEnvelope } from '../../providers/network/settle-envelope.ts';
import { done, type Outcome, refused, unknown } from '../../providers/outcome.ts';
import type { AccountCreator, SealedWallet, Signer } from '../../providers/signing/signer.ts';
import { HOUSE_WALLETS, type HouseWallet, listHouseWallets } from './house-wallet.ts';
import { pickFor } from './pick-for.ts';
import { whenWalletFree } from './wallet-lock.ts';

export interface Cashier extends Transactor {
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountCreator: AccountCreator;
}

export interface Payment {
  readonly from: SealedWallet;
  readonly to: string;
  readonly asset: NetworkAsset['code'];
  readonly stroops: bigint;
}

export interface PaymentOrder {
  readonly payments: readonly Payment[];
  readonly memo?: string | null;
  /**
   * The withdrawal that it pays out. Its channel is always the same: a payment of it that the
   * database has forgotten, and another one of it, need the same sequence number, so the network
   * takes one. By the withdrawal, since its operation may be forgotten too.
   */
  readonly withdrawalId?: string;
}

/** The network takes no more operations in one transaction. */
export const PAYMENTS_MAX = 100;
/**
 * Twenty signatures fit on an envelope; the channel gives one, and one is reserved for the house.
 */
export const PAYERS_MAX = 18;

const VALID_SECONDS = 120;
const FEE_PER_OPERATION = 1000;

/** Had no effect, for no fault of the payments: the same purpose may be tried again. */
const PASSING: ReadonlySet<string> = new Set(['expired', 'overtaken']);

/**
 * The payments of a purpose are decided once, when it is signed; a repeat only settles that
 * envelope. Refused means that the network shows it as failed. The caller holds the locks of the
 * paying wallets.
 */
export async function sendPayments(
  app: Cashier,
  call: Call,
  purpose: string,
  order: PaymentOrder,
): Promise<Outcome<Settled>> {
  const channels = await channelsFor(app, order);
  const settled = await whenWalletFree(app.pool, channels, { purpose }, (channel) =>
    settleEnvelope(app, call, purpose, () => sign(app, channel, order)),
  );
  if (settled === undefined) return unknown('every channel is busy');
  if (settled.kind === 'refused' && PASSING.has(settled.code)) return unknown(settled.reason);
  return settled;
}

async function channelsFor(
  { pool }: Pick<Cashier, 'pool'>,
  { withdrawalId }: PaymentOrder,
): Promise<readonly HouseWallet[]> {
  const channels = (await listHouseWallets(pool)).filter(({ kind }) => kind === 'channel');
  if (withdrawalId === undefined) return channels;
  // A choice among fewer could be another one.
  const isComplete = channels.length === HOUSE_WALLETS.channel;
  const picked = isComplete ? pickFor(withdrawalId, channels) : undefined;
  return picked === undefined ? [] : [picked];
}

async function sign(
  { network, accountCreator, signer }: Cashier,
  channel: HouseWallet,
  { payments, memo }: PaymentOrder,
): Promise<Outcome<SignedEnvelope>> {
  if (payments.length === 0 || payments.some(({ stroops }) => stroops <= 0n))
    return refused('nothing', 'there is nothing to send');
  const found = await network.account(channel.address);
  if (found.kind !== 'done') return found;
  if (found.value === null) return unknown('the channel account is not on the network yet');
  const time = await network.closeTime();
  if (time.kind !== 'done') return time;
  const unsigned = accountCreator.ownPayments(
    {
      passphrase: network.passphrase,
      source: channel.address,
      sequence: found.value.sequence + 1n,
      maxTime: time.value + VALID_SECONDS,
      feePerOperation: FEE_PER_OPERATION,
      memo: memo ?? null,
    },
    network.usdcIssuer,
    payments.map((each) => ({ ...each, from: each.from.address })),
  );
  const payers = new Map(payments.map(({ from }) => [from.address, from]));
  return signer.signOwn(unsigned, [channel, ...payers.values()]);
}

export async function findTreasury(app: Pick<Cashier, 'pool'>): Promise<Outcome<HouseWallet>> {
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  return treasury === undefined ? unknown('no treasury account exists yet') : done(treasury);
}

/** The balance of an address; an account that does not exist has nothing. */
export async function assetAt(
  { network }: Pick<Cashier, 'network'>,
  address: string,
  asset: NetworkAsset['code'],
): Promise<Outcome<bigint>> {
  const found = await network.account(address);
  if (found.kind !== 'done') return found;
  return done(found.value?.assets.find(({ code }) => code === asset)?.stroops ?? 0n);
}
