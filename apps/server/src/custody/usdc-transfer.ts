//! USDC between the treasury and a user's address: a payment that a channel carries, written down
//! before it is sent.
import type { Call } from '../platform/call.ts';
import type { Transactor } from '../platform/transact.ts';
import type { SignedEnvelope } from '../providers/envelope.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { type Outcome, refused, unknown } from '../providers/outcome.ts';
import type { UsdcPayment } from '../providers/own-transaction.ts';
import { type Settled, settleEnvelope } from '../providers/settle-envelope.ts';
import type { AccountMaker, SealedWallet, Signer } from '../providers/signer.ts';
import { type HouseWallet, listHouseWallets } from './house-wallet.ts';
import { whenWalletFree } from './wallet-lock.ts';

export interface Cashier extends Transactor {
  readonly network: LedgerNetwork;
  readonly signer: Signer;
  readonly accountMaker: AccountMaker;
}

/** From the treasury to an address, or from a user's wallet back to it. */
export type Transfer =
  | { readonly to: string; readonly stroops: bigint }
  | { readonly from: SealedWallet; readonly stroops: bigint };

const VALID_SECONDS = 120;
const FEE_PER_OPERATION = 1000;

/** Never came to anything, through nobody's fault: the same purpose may be tried anew. */
const PASSING: ReadonlySet<string> = new Set(['expired', 'overtaken']);

/** What a purpose sends is decided when it is signed, once; asking again only settles that. */
export async function transferUsdc(
  app: Cashier,
  call: Call,
  purpose: string,
  transfer: Transfer,
): Promise<Outcome<Settled>> {
  const house = await listHouseWallets(app.pool);
  const treasury = house.find(({ kind }) => kind === 'treasury');
  if (treasury === undefined) return unknown('the house has no treasury yet');
  const channels = house.filter(({ kind }) => kind === 'channel');
  const settled = await whenWalletFree(app.pool, channels, { purpose }, (channel) =>
    settleEnvelope(app, call, purpose, () => sign(app, channel, treasury, transfer)),
  );
  if (settled === undefined) return unknown('every channel is busy');
  if (settled.kind === 'refused' && PASSING.has(settled.code)) return unknown(settled.reason);
  return settled;
}

async function sign(
  app: Cashier,
  channel: HouseWallet,
  treasury: HouseWallet,
  transfer: Transfer,
): Promise<Outcome<SignedEnvelope>> {
  const { network, accountMaker, signer } = app;
  const found = await network.account(channel.address);
  if (found.kind !== 'done') return found;
  if (found.value === null) return unknown('the channel account is not on the network yet');
  const time = await network.closeTime();
  if (time.kind !== 'done') return time;
  if (transfer.stroops <= 0n) return refused('nothing', 'there is nothing to send');
  const payer = 'from' in transfer ? transfer.from : treasury;
  const payment: UsdcPayment = {
    from: payer.address,
    to: 'from' in transfer ? treasury.address : transfer.to,
    stroops: transfer.stroops,
  };
  const unsigned = accountMaker.usdcPayments(
    {
      passphrase: network.passphrase,
      source: channel.address,
      sequence: found.value.sequence + 1n,
      maxTime: time.value + VALID_SECONDS,
      feePerOperation: FEE_PER_OPERATION,
    },
    network.usdcIssuer,
    [payment],
  );
  return signer.signOwn(unsigned, [channel, payer]);
}

/** What an address has; an account that is not there has nothing. */
export async function usdcAt(
  { network }: Pick<Cashier, 'network'>,
  address: string,
): Promise<Outcome<bigint>> {
  const found = await network.account(address);
  if (found.kind !== 'done') return found;
  const stroops = found.value?.assets.find(({ code }) => code === 'USDC')?.stroops;
  return { kind: 'done', value: stroops ?? 0n };
}
