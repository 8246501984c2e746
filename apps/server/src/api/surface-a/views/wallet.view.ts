//! Response view of a wallet.
import type {
  DepositAddressView,
  WalletTransactionView,
  WalletView,
} from '@holdfast/contract/records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { HistoryLineId, UserId } from '@holdfast/kernel/ids';

type Asset = 'USDC' | 'XLM';

interface Wallet {
  readonly userId: UserId;
  readonly address: string;
  readonly network: string;
  readonly assets: readonly { readonly code: Asset; readonly stroops: bigint }[];
}

export function walletView({ userId, address, network, assets }: Wallet): WalletView {
  return {
    userId,
    ledgerAddress: address,
    type: 'CUSTODIAL',
    network,
    balances: assets.map(({ code, stroops }) => ({ asset: code, balance: networkText(stroops) })),
  };
}

export function depositAddressView(deposit: {
  readonly address: string;
  readonly asset: Asset;
  readonly network: string;
  readonly currency: Currency;
}): DepositAddressView {
  return { ...deposit };
}

interface WalletTransaction {
  readonly id: HistoryLineId;
  readonly hash: string;
  readonly at: Instant;
  readonly from: string;
  readonly to: string;
  readonly asset: Asset;
  readonly stroops: bigint;
  readonly by: 'payment' | 'contract';
  readonly direction: 'in' | 'out';
}

export function walletTransactionView(line: WalletTransaction): WalletTransactionView {
  return {
    id: line.id,
    direction: line.direction === 'in' ? 'IN' : 'OUT',
    kind: line.by,
    asset: line.asset,
    amount: networkText(line.stroops),
    counterparty: line.direction === 'in' ? line.from : line.to,
    transactionHash: line.hash,
    createdAt: instantText(line.at),
  };
}

/** Seven decimals, as the network counts; with a sign where it is negative. */
export function networkText(stroops: bigint): string {
  const digits = (stroops < 0n ? -stroops : stroops).toString().padStart(8, '0');
  return `${stroops < 0n ? '-' : ''}${digits.slice(0, -7)}.${digits.slice(-7)}`;
}
