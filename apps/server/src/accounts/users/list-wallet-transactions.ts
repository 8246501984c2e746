//! Lists the transactions of a user's address: GET /users/{userId}/wallet/transactions.
import { refuse } from '@holdfast/contract/errors';
import type { HistoryLineId, UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Page, type PageQuery, pageSizeOf } from '../../platform/database/page.ts';
import type { NetworkPayment } from '../../providers/network/ledger-network.ts';
import { getReadyWallet, networkOf, type WalletReader } from './get-wallet.ts';

/** Foreign assets are left out: anyone can send them. */
export interface WalletTransaction extends NetworkPayment {
  readonly id: HistoryLineId;
  readonly asset: 'USDC' | 'XLM';
  readonly direction: 'in' | 'out';
}

/** Newest first; the cursor is the network's own. */
export async function listWalletTransactions(
  app: WalletReader,
  call: Call,
  userId: UserId,
  query: PageQuery,
): Promise<Page<WalletTransaction>> {
  const { address } = await getReadyWallet(app, call, userId);
  const limit = pageSizeOf(query);
  const found = await networkOf(app).payments(address, {
    limit: limit + 1,
    order: 'desc',
    ...(query.cursor ? { cursor: operationIdOf(query.cursor) } : {}),
  });
  if (found.kind !== 'done')
    refuse('SERVICE_UNAVAILABLE', { reason: 'the network did not respond', retryAfter: 2 });
  const items = found.value.slice(0, limit).flatMap((payment): WalletTransaction[] => {
    const { asset, operationId } = payment;
    if (asset === 'other') return [];
    return [
      {
        ...payment,
        asset,
        id: historyLineIdOf(operationId),
        direction: payment.to === address ? 'in' : 'out',
      },
    ];
  });
  const hasMore = found.value.length > limit;
  return { items, hasMore, nextCursor: hasMore ? (items.at(-1)?.id ?? null) : null };
}

const ID_DIGITS = 26;

/** Converts the network's number of an operation to the form of our ids, and back. */
export function historyLineIdOf(operationId: string): HistoryLineId {
  return `txn_${operationId.padStart(ID_DIGITS, '0')}`;
}

function operationIdOf(id: string): string {
  return id.slice('txn_'.length).replace(/^0+(?=\d)/, '');
}
