//! Creates a withdrawal and holds its money: POST /withdrawals. Nothing is sent before its commit.
import { refuse } from '@holdfast/contract/errors';
import { withdrawalMachine } from '@holdfast/contract/machines/withdrawal-machine';
import type { Instant } from '@holdfast/kernel/clock';
import { holdForWithdrawal } from '../../accounts/books/withdrawal-money.ts';
import { findUser } from '../../accounts/users/user.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { recordDestination } from '../payout-limits/payout-destination.ts';
import { checkDestination, type DestinationChecker } from './check-destination.ts';
import { refuseWhilePaused } from './payouts-pause.ts';
import {
  insertWithdrawal,
  lockWithdrawal,
  type Withdrawal,
  type WithdrawalTerms,
} from './withdrawal.ts';
import { readWithdrawalInput, type WithdrawalInput } from './withdrawal-input.ts';

const DAY_MS = 86_400_000;

export interface WithdrawalCreator extends DestinationChecker {
  readonly config: { readonly HOLDFAST_WITHDRAWAL_EXPIRY_DAYS: number };
}

export async function createWithdrawal(
  app: WithdrawalCreator,
  call: Call,
  input: WithdrawalInput,
): Promise<Withdrawal> {
  // Thrown only after the idempotency key is checked: a repeat returns the stored response, even if
  // the destination has become invalid.
  const terms = await wantedTerms(app, call, input).catch((error: Error) => error);
  const { HOLDFAST_WITHDRAWAL_EXPIRY_DAYS: days } = app.config;
  return transact(app, call, async (tx) => {
    if (terms instanceof Error) throw terms;
    return writeWithdrawal(tx, terms, tx.now + days * DAY_MS);
  });
}

async function wantedTerms(
  app: DestinationChecker,
  call: Call,
  input: WithdrawalInput,
): Promise<WithdrawalTerms> {
  const terms = readWithdrawalInput(input, app.clock.now());
  await checkDestination(app, call, terms);
  return terms;
}

async function writeWithdrawal(
  tx: Tx,
  terms: WithdrawalTerms,
  expiresAt: Instant,
): Promise<Withdrawal> {
  const { id, userId, amount, currency, destination } = terms;
  await refuseWhilePaused(tx);
  await insertWithdrawal(tx, terms, expiresAt);
  const user = (await findUser(tx, userId)) ?? refuse('USER_NOT_FOUND', { userId });
  const { status } = user;
  if (status !== 'ACTIVE') refuse('USER_NOT_ACTIVE', { userId, status });
  await holdForWithdrawal(tx, terms);
  await recordDestination(tx, terms);
  const wanted = { amount: amount.text, currency };
  const { type: destinationType, ref: destinationRef } = destination;
  await emit(tx, 'withdrawal.created', id, {
    withdrawalId: id,
    userId,
    ...wanted,
    destinationType,
    destinationRef,
  });
  await audit(tx, {
    action: 'WITHDRAWAL_CREATED',
    resourceId: id,
    after: {
      status: withdrawalMachine.initial,
      userId,
      ...wanted,
      destinationType,
      destinationRef,
    },
  });
  return lockWithdrawal(tx, id);
}
