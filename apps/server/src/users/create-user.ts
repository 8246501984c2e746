//! Creates a user, once per external id: POST /users.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { newId, type WalletId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import { claimSpareWallet, giveBackSpareWallet, takeSpareWallet } from '../custody/spare-wallet.ts';
import type { Call } from '../platform/call.ts';
import { shownTo } from '../platform/mask.ts';
import { emit } from '../platform/outbox.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import type { LedgerNetwork } from '../providers/ledger-network.ts';
import { findUserByExternalId, insertUser, type User } from './user.ts';
import { insertReadyWallet, insertWantedWallet } from './wallet.ts';
import { tellWalletLinked } from './wallet-linked.ts';

export interface UserMaker extends Transactor {
  /** Undefined where none is configured: nobody has an address then. */
  readonly network: LedgerNetwork | undefined;
}

export interface NewUser {
  readonly externalUserId: string;
  readonly email?: string;
  readonly type?: User['type'];
  readonly depositCurrency?: User['depositCurrency'];
}

interface Made {
  readonly user: User;
  readonly isNew: boolean;
}

/**
 * The same user again is the same answer; another one under the same external id is refused. A user
 * gets a spare wallet if there is one. It is claimed before the transaction: serializable ones that
 * looked for a free spare would all have read the same, and collide.
 */
export async function createUser(app: UserMaker, call: Call, input: NewUser): Promise<Made> {
  const spare = app.network === undefined ? undefined : await claimSpareWallet(app);
  let isTaken = false;
  try {
    const made = await transact(app, call, (tx) => create(tx, input, spare));
    isTaken = made.isNew && made.user.ledgerAddress !== null;
    return made;
  } finally {
    if (spare !== undefined && !isTaken) await giveBack(app, spare);
  }
}

async function create(tx: Tx, input: NewUser, spare: WalletId | undefined): Promise<Made> {
  const user: User = {
    id: newId('usr'),
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
  const ledgerAddress = await giveWallet(tx, user, spare);
  return { user: { ...user, ledgerAddress }, isNew: true };
}

/** The claimed spare, or else one that is made in the background. */
async function giveWallet(
  tx: Tx,
  { id }: User,
  spare: WalletId | undefined,
): Promise<string | null> {
  const wallet = spare === undefined ? undefined : await takeSpareWallet(tx, spare);
  if (wallet === undefined) {
    await insertWantedWallet(tx, id);
    return null;
  }
  await insertReadyWallet(tx, id, wallet);
  await tellWalletLinked(tx, id, wallet.address);
  return wallet.address;
}

/** If this fails, `stock-wallets` does it a little later. */
async function giveBack({ pool, log }: UserMaker, spare: WalletId): Promise<void> {
  await giveBackSpareWallet(pool, spare).catch((error: Error) =>
    log.warn({ reason: error.message }, 'give back spare wallet'),
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
