//! Builds our own transactions: accounts for users, payments between wallets. Worker only: the
//! library that builds them is large.
import {
  Account,
  Asset,
  Memo,
  Operation as Operations,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import type { NetworkAsset } from './ledger-network.ts';
import { stroopsText } from './stroops.ts';

export interface OwnTransaction {
  readonly passphrase: string;
  /** The account whose sequence number is used: a channel, so that many can run at once. */
  readonly source: string;
  readonly sequence: bigint;
  /** Unix seconds in ledger time. */
  readonly maxTime: number;
  readonly feePerOperation: number;
  /** A short text by which the recipient identifies it. */
  readonly memo?: string | null;
}

/** Accounts that need no XLM of their own: a sponsor carries their reserves and their trustline. */
export function sponsoredAccounts(
  transaction: OwnTransaction,
  sponsor: string,
  usdcIssuer: string,
  addresses: readonly string[],
): string {
  const asset = new Asset('USDC', usdcIssuer);
  return build(
    transaction,
    addresses.flatMap((address) => [
      Operations.beginSponsoringFutureReserves({ sponsoredId: address, source: sponsor }),
      Operations.createAccount({ destination: address, startingBalance: '0', source: sponsor }),
      Operations.changeTrust({ asset, source: address }),
      Operations.endSponsoringFutureReserves({ source: address }),
    ]),
  );
}

export interface OwnPayment {
  readonly from: string;
  readonly to: string;
  readonly asset: NetworkAsset['code'];
  readonly stroops: bigint;
}

/** All payments take effect, or none. */
export function ownPayments(
  transaction: OwnTransaction,
  usdcIssuer: string,
  payments: readonly OwnPayment[],
): string {
  const assets = { USDC: new Asset('USDC', usdcIssuer), XLM: Asset.native() };
  return build(
    transaction,
    payments.map(({ from, to, asset, stroops }) =>
      Operations.payment({
        source: from,
        destination: to,
        asset: assets[asset],
        amount: stroopsText(stroops),
      }),
    ),
  );
}

/** Lets the source hold USDC. */
export function usdcTrustline(transaction: OwnTransaction, usdcIssuer: string): string {
  return build(transaction, [Operations.changeTrust({ asset: new Asset('USDC', usdcIssuer) })]);
}

function build(transaction: OwnTransaction, operations: readonly xdr.Operation[]): string {
  // The builder adds one to the sequence number of the given account.
  const account = new Account(transaction.source, String(transaction.sequence - 1n));
  const builder = new TransactionBuilder(account, {
    fee: String(transaction.feePerOperation),
    networkPassphrase: transaction.passphrase,
    timebounds: { minTime: 0, maxTime: transaction.maxTime },
    ...(transaction.memo ? { memo: Memo.text(transaction.memo) } : {}),
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.build().toXDR();
}
