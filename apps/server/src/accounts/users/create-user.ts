//! Creates a user, once per external id: POST /users.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { newId, type WalletId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import type { LedgerNetwork } from '../../providers/network/ledger-network.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import {
  claimPooledWallet,
  type PooledWalletTaker,
  returnPooledWallet,
  takePooledWallet,
} from '../custody/pooled-wallet.ts';
import { findUserByExternalId, insertUser, type User } from './user.ts';
import { wantWallets } from './wallet.ts';
import { emitWalletLinked } from './wallet-linked.ts';

export interface UserCreator extends Transactor, PooledWalletTaker {
  /** Undefined where none is configured: then users have no address. */
  readonly network: LedgerNetwork | undefined;
}

export interface NewUser {
  readonly externalUserId: string;
  readonly email?: string;
  readonly type?: User['type'];
  readonly depositCurrency?: User['depositCurrency'];
}

interface CreatedUser {
  readonly user: User;
  readonly isNew: boolean;
}

/**
 * A repeated request returns the same user; different data under the same external id is refused. A
 * user gets a pooled wallet if there is one. It is claimed before the transaction: serializable
 * transactions that search for a free one would all read the same row, and conflict.
 */
export async function createUser(
  app: UserCreator,
  call: Call,
  input: NewUser,
): Promise<CreatedUser> {
  const pooled = app.network === undefined ? undefined : await claimPooledWallet(app);
  let isTaken = false;
  try {
    const created = await transact(app, call, async (tx) => {
      const { user, isNew } = await create(tx, input);
      if (!isNew) return { user, isNew };
      return { user: { ...user, ledgerAddress: await assignWallet(tx, user, pooled) }, isNew };
    });
    isTaken = created.isNew && created.user.ledgerAddress !== null;
    return created;
  } finally {
    if (pooled !== undefined && !isTaken) await returnToPool(app, pooled);
  }
}

/** For people who register themselves: a wallet ties up XLM, so it comes with their first money. */
export async function createUserWithoutWallet(
  app: Transactor,
  call: Call,
  input: NewUser,
): Promise<CreatedUser> {
  return transact(app, call, (tx) => create(tx, input));
}

async function create(tx: Tx, input: NewUser): Promise<CreatedUser> {
  const user: User = {
    id: newId('usr', tx.now),
    externalUserId: input.externalUserId,
    email: input.email ?? null,
    type: input.type ?? 'BOTH',
    status: 'ACTIVE',
    depositCurrency: input.depositCurrency ?? 'USD',
    paymentAccountUserId: null,
    linkedAt: null,
    ledgerAddress: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  if (!(await insertUser(tx, user))) {
    const existing = await findUserByExternalId(tx, input.externalUserId);
    assert(existing !== undefined, 'a conflict names a user of this marketplace');
    checkSame(existing, user);
    return { user: shownTo(tx.actor, existing), isNew: false };
  }
  await emit(tx, 'user.created', user.id, {
    userId: user.id,
    externalUserId: user.externalUserId,
    type: user.type,
    status: user.status,
    ...(user.email === null ? {} : { email: user.email }),
  });
  await audit(tx, {
    action: 'USER_CREATED',
    resourceId: user.id,
    after: {
      externalUserId: user.externalUserId,
      email: user.email,
      type: user.type,
      status: user.status,
    },
  });
  return { user, isNew: true };
}

/** The claimed pooled wallet, or else one that is created in the background. */
async function assignWallet(
  tx: Tx,
  { id }: User,
  pooled: WalletId | undefined,
): Promise<string | null> {
  const address = pooled === undefined ? undefined : await takePooledWallet(tx, pooled, id);
  if (address === undefined) {
    await wantWallets(tx, [id]);
    return null;
  }
  await emitWalletLinked(tx, id, address);
  return address;
}

/** If this fails, `fill-wallet-pool` does it a little later. */
async function returnToPool({ pool, log }: UserCreator, pooled: WalletId): Promise<void> {
  await returnPooledWallet(pool, pooled).catch((error: Error) =>
    log.warn({ err: error }, 'pooled wallet not returned'),
  );
}

function checkSame(existing: User, wanted: User): void {
  const isSame =
    existing.email === wanted.email &&
    existing.type === wanted.type &&
    existing.depositCurrency === wanted.depositCurrency;
  if (!isSame) {
    refuse('USER_ALREADY_EXISTS', { externalUserId: existing.externalUserId, userId: existing.id });
  }
}
