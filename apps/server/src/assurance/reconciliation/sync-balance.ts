//! Reconciles a user's books with the user's address: POST /users/{userId}/balance/sync.
//!
//! Deposits are credited first. Then the address's balance is compared with its known balance; the
//! rest is unexplained. Within a bound it is posted against suspense; above it an operator has to
//! act. The mirror runs last: before the comparison it would cover a shortfall, and hide it.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@holdfast/contract/errors';
import { BASE_CURRENCY } from '@holdfast/contract/limits';
import { assert } from '@holdfast/kernel/assert';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { type Balance, findBalance, type StoredBalance } from '../../accounts/books/account.ts';
import { postDifference } from '../../accounts/books/deposit-money.ts';
import { getBalance } from '../../accounts/books/get-balance.ts';
import { getReadyWallet, networkOf, type WalletReader } from '../../accounts/users/read-wallets.ts';
import { creditDepositsOf } from '../../payments/deposits/address-deposits.ts';
import { markBooksDue, markMirrorDue } from '../../payments/mirror/due-user.ts';
import { addDust } from '../../payments/mirror/wallet-mirror.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { floorMinorOf, stroopsOfMinor } from '../../providers/network/stroops.ts';
import type { Outcome } from '../../providers/outcome.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  type AddressFacts,
  type AddressReader,
  explain,
  findOurFacts,
  hasStoodStill,
  readAddressFacts,
  type WhichAddress,
} from './address-facts.ts';
import { insertDifference, type Posting } from './balance-difference.ts';
import { assetOf } from './verify-balance.ts';

export interface BalanceSyncer extends WalletReader {
  readonly config: { readonly HOLDFAST_SYNC_LIMIT: string };
}

export interface BalanceSync {
  /** No unexplained difference is left. */
  readonly isSynced: boolean;
  readonly before: Balance;
  readonly after: Balance;
  readonly hasDifference: boolean;
  /** The posted amount, in cents; null when nothing was posted. */
  readonly adjustment: bigint | null;
  readonly isMirrorRequested: boolean;
}

const MIRROR_WAIT_MS_MAX = 2000;
const POLL_INTERVAL_MS = 100;
const TRIES_MAX = 4;

export async function syncBalance(
  app: BalanceSyncer,
  call: Call,
  userId: UserId,
  currency: Currency = BASE_CURRENCY,
): Promise<BalanceSync> {
  const before = await getBalance(app, call, userId, currency);
  const { address } = await getReadyWallet(app, call, userId);
  const reader = { ...app, network: networkOf(app) };
  const which = { userId, address, currency: assetOf(currency) };
  known(await creditDepositsOf(reader, address, call.requestId));
  const sync = await settleWhenStill(app, reader, call, which, before);
  if (sync.isMirrorRequested) await awaitMirror(reader, call, which);
  return sync;
}

async function settleWhenStill(
  app: BalanceSyncer,
  reader: AddressReader,
  call: Call,
  which: WhichAddress,
  before: Balance,
): Promise<BalanceSync> {
  for (let tries = 1; ; tries += 1) {
    const facts = known(await readAddressFacts(reader, call, which));
    // An address that still changes at the last try counts as moving, and nothing is posted.
    const settled = tries === TRIES_MAX ? { ...facts, isMoving: true } : facts;
    try {
      return await transact(app, call, (tx) => settle(app, tx, settled, before));
    } catch (error) {
      if (!(error instanceof AddressMoved)) throw error;
    }
  }
}

class AddressMoved extends Error {}

/** A lost reply changes nothing in the books: the caller may simply retry. */
function known<T>(outcome: Outcome<T>): T {
  return outcome.kind === 'done'
    ? outcome.value
    : refuse('PROVIDER_TIMEOUT', { operationId: null });
}

/** A worker, which has the keys, sends the transfers; this function only waits for them. */
async function awaitMirror(app: AddressReader, call: Call, which: WhichAddress): Promise<void> {
  const deadline = performance.now() + MIRROR_WAIT_MS_MAX;
  while (performance.now() < deadline) {
    const ours = await read(app, call, (tx) => findOurFacts(tx, which));
    if (!ours.isMoving && ours.mirrored === ours.booked + ours.dust) return;
    await sleep(POLL_INTERVAL_MS);
  }
}

/**
 * One transaction: the compared state is locked in it, and the response is stored under its key.
 */
async function settle(
  app: BalanceSyncer,
  tx: Tx,
  facts: AddressFacts,
  before: Balance,
): Promise<BalanceSync> {
  const { userId } = facts;
  const { currency } = before;
  const { unexplained } = explain(facts);
  if (unexplained === 0n) {
    const isMirrorRequested = facts.isMoving || facts.mirrored !== facts.booked + facts.dust;
    if (isMirrorRequested) await markBooksDue(tx, [userId]);
    return report(tx, before, { unexplained, rest: 0n, minor: 0n, isMirrorRequested });
  }
  if (!hasStoodStill(facts, await findOurFacts(tx, facts))) throw new AddressMoved(userId);
  const now = await findBalance(tx, userId, currency);
  assert(now !== undefined, 'a user is never deleted');
  const limit = stroopsOfMinor(Money.read(app.config.HOLDFAST_SYNC_LIMIT, currency)?.minor ?? 0n);
  const posting =
    unexplained > limit || -unexplained > limit
      ? { currency, minor: 0n, dust: 0n }
      : postingFor(unexplained, facts.dust, now);
  const rest = unexplained - stroopsOfPosting(posting);
  await post(tx, facts, posting, rest);
  if (rest !== 0n)
    app.log.error({ userId, unexplained: String(rest) }, 'balance difference unexplained');
  const { minor } = posting;
  return report(tx, before, { unexplained, rest, minor, isMirrorRequested: minor !== 0n });
}

/**
 * Whole cents go to the books and the rest to the dust, like a deposit or its reversal. Reserved
 * money is promised to others, and unconfirmed money may not be there, so neither is taken.
 */
export function postingFor(
  unexplained: bigint,
  dust: bigint,
  {
    currency,
    available,
    unconfirmed,
  }: Pick<StoredBalance, 'currency' | 'available' | 'unconfirmed'>,
): Posting {
  const sum = floorMinorOf(dust + unexplained);
  const free = available - unconfirmed;
  if (-sum.minor > free) return { currency, minor: -free, dust: 0n };
  return { currency, minor: sum.minor, dust: sum.dust - dust };
}

function stroopsOfPosting({ minor, dust }: Posting): bigint {
  return stroopsOfMinor(minor) + dust;
}

async function post(tx: Tx, facts: AddressFacts, posting: Posting, rest: bigint): Promise<void> {
  const { userId, currency: asset } = facts;
  const unexplained = rest + stroopsOfPosting(posting);
  const id = newId('aud', tx.now);
  await insertDifference(tx, { id, facts, unexplained, ...posting });
  if (posting.dust !== 0n) await addDust(tx, userId, asset, posting.dust);
  if (posting.minor !== 0n) await postDifference(tx, id);
  // The known balance changes with the posting: the address counts as moving until the mirror has
  // checked it.
  if (stroopsOfPosting(posting) !== 0n) await markMirrorDue(tx, userId);
  const after = { asset, unexplained: String(rest), address: facts.address };
  if (rest !== 0n)
    await audit(tx, { action: 'BALANCE_DIFFERENCE_ESCALATED', resourceId: userId, after });
  else if (posting.minor === 0n)
    await audit(tx, { action: 'BALANCE_SYNCED', resourceId: userId, after });
}

async function report(
  tx: Tx,
  before: Balance,
  found: {
    readonly unexplained: bigint;
    readonly rest: bigint;
    readonly minor: bigint;
    readonly isMirrorRequested: boolean;
  },
): Promise<BalanceSync> {
  const after = await findBalance(tx, before.userId, before.currency);
  assert(after !== undefined, 'a user is never deleted');
  return {
    isSynced: found.rest === 0n,
    before,
    after,
    hasDifference: found.unexplained !== 0n,
    adjustment: found.minor === 0n ? null : found.minor,
    isMirrorRequested: found.isMirrorRequested,
  };
}
