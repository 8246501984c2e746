//! Reads users' wallets: balances on the ledger network, deposit addresses and transactions.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@holdfast/contract/errors';
import type { Currency } from '@holdfast/kernel/currency';
import type { HistoryLineId, UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type CreatedFilter, periodOf } from '../../platform/database/id-range.ts';
import { type Page, type PageQuery, pageSizeOf } from '../../platform/database/page.ts';
import { read, type Transactor, transact } from '../../platform/database/transact.ts';
import type {
  LedgerNetwork,
  NetworkAsset,
  NetworkPayment,
} from '../../providers/network/ledger-network.ts';
import { findUser, type User } from './user.ts';
import { findWallet, wantWallets } from './wallet.ts';

export interface WalletReader extends Transactor {
  readonly network: LedgerNetwork | undefined;
}

export interface WalletBalances {
  readonly userId: UserId;
  readonly address: string;
  readonly network: string;
  readonly assets: readonly NetworkAsset[];
}

/** A wallet is created when it is first needed, at the latest by a request, which waits for it. */
const WAIT_MS_MAX = 10_000;
const POLL_INTERVAL_MS = 100;

const NO_RESPONSE = { reason: 'the network did not respond', retryAfter: 2 } as const;

/** GET /users/{userId}/wallet: the address on the ledger network, with its balances. */
export async function getWallet(
  app: WalletReader,
  call: Call,
  userId: UserId,
): Promise<WalletBalances> {
  const { address } = await getReadyWallet(app, call, userId);
  const found = await networkOf(app).account(address);
  if (found.kind !== 'done') refuse('SERVICE_UNAVAILABLE', NO_RESPONSE);
  return { userId, address, network: networkOf(app).passphrase, assets: found.value?.assets ?? [] };
}

export async function getReadyWallet(
  app: WalletReader,
  call: Call,
  userId: UserId,
): Promise<{ user: User; address: string }> {
  networkOf(app);
  const deadline = app.clock.now() + WAIT_MS_MAX;
  for (;;) {
    const [user, wallet] = await read(
      app,
      call,
      async (tx) => [await findUser(tx, userId), await findWallet(tx, userId)] as const,
    );
    if (user === undefined) return refuse('USER_NOT_FOUND', { userId });
    if (wallet?.status === 'READY' && wallet.address !== null)
      return { user, address: wallet.address };
    if (wallet === undefined) await wantWallet(app, call, userId);
    if (app.clock.now() > deadline)
      refuse('SERVICE_UNAVAILABLE', { reason: 'the wallet is being created', retryAfter: 2 });
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Not the one transaction of the caller, which stores its response. */
function wantWallet(app: WalletReader, call: Call, userId: UserId): Promise<void> {
  const alone = { ...call, idempotency: undefined };
  return transact(app, alone, (tx) => wantWallets(tx, [userId]), 'read committed');
}

export function networkOf({ network }: WalletReader): LedgerNetwork {
  return network ?? refuse('SERVICE_UNAVAILABLE', { reason: 'no Stellar network is configured' });
}

export interface DepositAddress {
  readonly address: string;
  readonly asset: 'USDC' | 'XLM';
  readonly network: string;
  /** Which balance a deposit of this asset is credited to. */
  readonly currency: Currency;
}

/**
 * GET /users/{userId}/wallet/deposit. USDC credits the user's own choice of USD or USDC; XLM
 * credits XLM.
 */
export async function getDepositAddress(
  app: WalletReader,
  call: Call,
  userId: UserId,
  wanted: Currency = 'USDC',
): Promise<DepositAddress> {
  const { user, address } = await getReadyWallet(app, call, userId);
  const network = networkOf(app).passphrase;
  if (wanted === 'XLM') return { address, asset: 'XLM', network, currency: 'XLM' };
  return { address, asset: 'USDC', network, currency: user.depositCurrency };
}

/** Foreign assets are left out: anyone can send them. */
export interface WalletTransaction extends NetworkPayment {
  readonly id: HistoryLineId;
  readonly asset: 'USDC' | 'XLM';
  readonly direction: 'in' | 'out';
}

/** The most pages of the network that one call reads to find lines of a period. */
const PAGES_MAX = 10;
const PAGE_SIZE = 200;

/**
 * GET /users/{userId}/wallet/transactions: newest first; the cursor is the network's own. A call
 * that has searched far for a period ends early, with the cursor to continue from.
 */
export async function listWalletTransactions(
  app: WalletReader,
  call: Call,
  userId: UserId,
  query: PageQuery & CreatedFilter,
): Promise<Page<WalletTransaction>> {
  const { address } = await getReadyWallet(app, call, userId);
  const limit = pageSizeOf(query);
  const { from, until } = periodOf(query);
  const lines: WalletTransaction[] = [];
  let cursor = query.cursor === undefined ? undefined : operationIdOf(query.cursor);
  let isEnd = false;
  for (let pages = 0; pages < PAGES_MAX && !isEnd && lines.length <= limit; pages += 1) {
    const found = await networkOf(app).payments(address, {
      limit: query.createdBefore === undefined ? limit + 1 : PAGE_SIZE,
      order: 'desc',
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (found.kind !== 'done') refuse('SERVICE_UNAVAILABLE', NO_RESPONSE);
    const inPeriod = found.value.filter(({ at }) => at >= from && at < until);
    lines.push(...inPeriod.flatMap((payment) => lineOf(payment, address)));
    isEnd = found.value.length === 0 || found.value.some(({ at }) => at < from);
    cursor = found.value.at(-1)?.operationId ?? cursor;
  }
  const items = lines.slice(0, limit);
  const lastRead = isEnd || cursor === undefined ? null : historyLineIdOf(cursor);
  const nextCursor = lines.length > limit ? (items.at(-1)?.id ?? null) : lastRead;
  return { items, hasMore: nextCursor !== null, nextCursor };
}

function lineOf(payment: NetworkPayment, address: string): WalletTransaction[] {
  const { asset, operationId, to } = payment;
  if (asset === 'other') return [];
  const direction = to === address ? 'in' : 'out';
  return [{ ...payment, asset, id: historyLineIdOf(operationId), direction }];
}

const ID_DIGITS = 26;

/** Converts the network's number of an operation to the form of our ids, and back. */
export function historyLineIdOf(operationId: string): HistoryLineId {
  return `txn_${operationId.padStart(ID_DIGITS, '0')}`;
}

function operationIdOf(id: string): string {
  return id.slice('txn_'.length).replace(/^0+(?=\d)/, '');
}
