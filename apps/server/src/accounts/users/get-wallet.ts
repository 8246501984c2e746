//! Gets a user's address on the ledger network with its balances: GET /users/{userId}/wallet.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@holdfast/contract/errors';
import type { UserId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor } from '../../platform/database/transact.ts';
import type { LedgerNetwork, NetworkAsset } from '../../providers/network/ledger-network.ts';
import { findUser, type User } from './user.ts';
import { findWallet } from './wallet.ts';

export interface WalletReader extends Transactor {
  readonly network: LedgerNetwork | undefined;
}

export interface WalletBalances {
  readonly userId: UserId;
  readonly address: string;
  readonly network: string;
  readonly assets: readonly NetworkAsset[];
}

/** A wallet is created shortly after its user; an earlier request waits for it. */
const WAIT_MS_MAX = 10_000;
const POLL_INTERVAL_MS = 100;

export async function getWallet(
  app: WalletReader,
  call: Call,
  userId: UserId,
): Promise<WalletBalances> {
  const { address } = await getReadyWallet(app, call, userId);
  const found = await networkOf(app).account(address);
  if (found.kind !== 'done')
    refuse('SERVICE_UNAVAILABLE', { reason: 'the network did not respond', retryAfter: 2 });
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
    if (app.clock.now() > deadline)
      refuse('SERVICE_UNAVAILABLE', { reason: 'the wallet is being created', retryAfter: 2 });
    await sleep(POLL_INTERVAL_MS);
  }
}

export function networkOf({ network }: WalletReader): LedgerNetwork {
  return network ?? refuse('SERVICE_UNAVAILABLE', { reason: 'no Stellar network is configured' });
}
