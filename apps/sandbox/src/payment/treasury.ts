//! The enterprise's own money: deposits into its balance, and withdrawals to the ledger.
import { randomUUID } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import type { World } from '../world.ts';
import { balanceOf, moveBalance, OPENING_CENTS } from './balance.ts';
import { amount, malformed, oneOf, optional, readBody, text } from './body.ts';
import { centsNumber, centsText } from './cents.ts';
import { dueIn, notDue, settingsOf } from './due.ts';
import { PaymentRefusal } from './errors.ts';
import { stableId } from './users.ts';

/** Kept as ('crypto-account', id). */
interface CryptoAccount {
  readonly id: string;
  readonly type: string;
  readonly currency: string;
  readonly alias: string;
  readonly address: string;
  readonly memo?: string;
  readonly createdAt: string;
}

/** Kept as ('payment-withdrawal', id). */
export interface Withdrawal {
  readonly id: string;
  readonly status: 'CREATED' | 'COMPLETED' | 'FAILED';
  readonly amount: bigint;
  readonly externalAccountId: string;
  readonly failureReason?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const ACCOUNT_SHAPE = {
  type: oneOf('stellar usdc'),
  currency: oneOf('USDC'),
  alias: text(),
  address: text(),
  memo: optional(text(28)),
};

export function createCryptoAccount(world: World, json: string): object {
  const { memo, ...body } = readBody(json, ACCOUNT_SHAPE);
  if (!StrKey.isValidEd25519PublicKey(body.address))
    malformed('address', 'must be a ledger address');
  const created: CryptoAccount = {
    id: randomUUID(),
    ...body,
    ...(memo !== undefined && { memo }),
    createdAt: world.clock.text(),
  };
  world.store.put('crypto-account', created.id, created);
  return created;
}

export function createWithdrawal(world: World, json: string): Withdrawal {
  const body = readBody(json, { amount, externalAccountId: text() });
  if (world.store.get('crypto-account', body.externalAccountId) === undefined)
    throw new PaymentRefusal('415902', { externalAccountId: 'is not known' });
  const { available } = balanceOf(world.store);
  if (available < body.amount)
    throw new PaymentRefusal('415016', { available: centsText(available) });
  const now = world.clock.text();
  const created: Withdrawal = {
    ...body,
    id: randomUUID(),
    status: 'CREATED',
    createdAt: now,
    updatedAt: now,
  };
  world.store.commit([
    ['payment-withdrawal', created.id, created],
    moveBalance(world.store, { available: -created.amount, pending: created.amount }),
    dueIn(world, 'withdrawal', created.id, settingsOf(world.store).payoutDelayMs ?? 0),
    ...recordEffect(world, created, 'payment.withdrawal.create'),
  ]);
  return created;
}

export function findWithdrawal(world: World, id: string): Withdrawal | undefined {
  return world.store.get<Withdrawal>('payment-withdrawal', id);
}

/** Its time has come: the ledger pays it out, or does not and the balance has it back. */
export function advanceWithdrawal(world: World, id: string): void {
  const withdrawal = findWithdrawal(world, id);
  if (withdrawal?.status !== 'CREATED') return;
  const { amount: cents, externalAccountId } = withdrawal;
  const to = world.store.get<CryptoAccount>('crypto-account', externalAccountId)?.address ?? '';
  let failureReason: string | undefined;
  try {
    world.ledger.deposit(to, 'USDC', centsText(cents));
  } catch (error) {
    failureReason = (error as Error).message;
  }
  const isPaid = failureReason === undefined;
  const next: Withdrawal = {
    ...withdrawal,
    status: isPaid ? 'COMPLETED' : 'FAILED',
    ...(failureReason !== undefined && { failureReason }),
    updatedAt: world.clock.text(),
  };
  world.store.commit([
    ['payment-withdrawal', id, next],
    moveBalance(world.store, { available: isPaid ? 0n : cents, pending: -cents }),
    notDue('withdrawal', id),
    ...recordEffect(world, next, `payment.withdrawal.${isPaid ? 'complete' : 'fail'}`),
  ]);
}

export function withdrawalView(withdrawal: Withdrawal): object {
  return { ...withdrawal, amount: centsNumber(withdrawal.amount) };
}

/** The one that opened the balance; the sandbox's account manager credits no others. */
export function deposits(): readonly { id: string; status: string; amount: number }[] {
  return [
    {
      id: stableId('opening deposit'),
      status: 'COMPLETED',
      amount: centsNumber(OPENING_CENTS),
    },
  ];
}

function recordEffect(world: World, { amount: cents, externalAccountId }: Withdrawal, to: string) {
  const account = world.store.get<CryptoAccount>('crypto-account', externalAccountId);
  return world.journal.record({
    effect: to,
    amount: centsText(cents),
    asset: 'USDC',
    ...(account && { to: account.address }),
  });
}
