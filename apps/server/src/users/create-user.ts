//! Creates a user, once per external id: POST /users.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import { newId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import type { Call } from '../platform/call.ts';
import { emit } from '../platform/outbox.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { findUserByExternalId, insertUser, type User } from './user.ts';
import { insertWantedWallet } from './wallet.ts';

export interface NewUser {
  readonly externalUserId: string;
  readonly email?: string;
  readonly type?: User['type'];
  readonly depositCurrency?: User['depositCurrency'];
}

/** The same user again is the same answer; another one under the same external id is refused. */
export async function createUser(
  app: Transactor,
  call: Call,
  input: NewUser,
): Promise<{ user: User; isNew: boolean }> {
  return transact(app, call, async (tx) => {
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
      return { user: existing, isNew: false };
    }
    await insertWantedWallet(tx, user.id);
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
  });
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
