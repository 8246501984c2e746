//! Gets an account of the books with its present or past balance: GET /ledger/accounts/{id}.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, readInstant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { balanceAfter, seqBefore } from '../statements/account-history.ts';
import {
  type BookAccount,
  findBookAccount,
  houseChangeSince,
  readAccountName,
} from './book-account.ts';
import type { NamedAccount } from './list-accounts.ts';

export async function getAccount(
  app: Transactor,
  call: Call,
  id: string,
  { at }: { readonly at?: string },
): Promise<NamedAccount> {
  return read(app, call, async (tx) => {
    const found =
      (await findBookAccount(tx, readAccountName(id))) ??
      refuse('ACCOUNT_NOT_FOUND', { accountId: id });
    const moment = at === undefined ? undefined : readInstant(at);
    if (moment === undefined || moment >= tx.now) return { ...found, id, at: tx.now };
    return { ...found, ...(await balanceAt(tx, found, moment)), id, at: moment };
  });
}

/** After every entry before the moment. */
async function balanceAt(
  tx: Tx,
  found: BookAccount,
  moment: Instant,
): Promise<Pick<BookAccount, 'available' | 'reserved'>> {
  if (found.ownerId !== '')
    return balanceAfter(tx, found.number, await seqBefore(tx, found.number, moment));
  const { available, reserved } = found;
  return { available: available - (await houseChangeSince(tx, found, moment)), reserved };
}
