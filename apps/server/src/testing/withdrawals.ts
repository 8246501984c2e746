//! Withdrawals through the sandbox: users with money and a linked account, external accounts on the
//! network, and withdrawals brought to a state.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { newId, type UserId, type WithdrawalId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { Keypair } from '@stellar/stellar-sdk/base';
import { creditBalance } from '../accounts/books/credit-balance.ts';
import { getBalance } from '../accounts/books/get-balance.ts';
import { createUser } from '../accounts/users/create-user.ts';
import { linkPaymentAccount } from '../accounts/users/link-payment-account.ts';
import { commitWithdrawal } from '../payments/withdrawals/commit-withdrawal.ts';
import { createWithdrawal } from '../payments/withdrawals/create-withdrawal.ts';
import { getWithdrawal } from '../payments/withdrawals/read-withdrawals.ts';
import type { Withdrawal } from '../payments/withdrawals/withdrawal.ts';
import type { WithdrawalInput } from '../payments/withdrawals/withdrawal-input.ts';
import type { PayoutNotification } from '../providers/payments/payment-notification.ts';
import { postponeAll } from './due.ts';
import { type EscrowWorld, openEscrowWorld, useAuditedBooks, useNoFaults } from './escrows.ts';
import { submit } from './parties.ts';
import { useMarketIn, type WorldWithMarket } from './use-world.ts';
import type { Market } from './world.ts';

/** Payouts do not move until a test moves them. */
export async function openPayoutWorld(env: Record<string, string> = {}): Promise<EscrowWorld> {
  const world = await openEscrowWorld({ HOLDFAST_WITHDRAWALS_PER_USER: 'off', ...env });
  await holdPayouts(world);
  return world;
}

/** Each test starts without faults, and all of them leave books that audit. */
export function usePayoutWorld(env: Record<string, string> = {}): WorldWithMarket<EscrowWorld> {
  const opened = useMarketIn(() => openPayoutWorld(env));
  useAuditedBooks(opened.world);
  useNoFaults(opened.world);
  return opened;
}

export async function holdPayouts({ sandbox }: EscrowWorld): Promise<void> {
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: null });
}

export interface Payee {
  readonly userId: UserId;
  readonly email: string;
}

interface PayeeOptions {
  readonly funds?: string;
  readonly currency?: Currency;
  /** Words in the name decide how the sandbox treats the account. */
  readonly name?: string;
}

export async function payeeWith(
  { app }: EscrowWorld,
  { call }: Market,
  { funds = '50.00', currency = 'USD', name = 'payee' }: PayeeOptions = {},
): Promise<Payee> {
  const email = `${name}.${randomUUID()}@example.test`;
  const { id: userId } = (await createUser(app, call, { externalUserId: randomUUID(), email }))
    .user;
  await linkPaymentAccount(app, call, userId, {});
  await creditBalance(app, call, userId, { amount: funds, currency });
  return { userId, email };
}

export function inputOf({ userId, email }: Payee, changes: Partial<WithdrawalInput> = {}) {
  const input: WithdrawalInput = {
    userId,
    amount: '20.00',
    currency: 'USD',
    destination: { type: 'payment_account', ref: email },
  };
  return { ...input, ...changes };
}

export async function createdBy(
  { app }: EscrowWorld,
  { call }: Market,
  payee: Payee,
  changes: Partial<WithdrawalInput> = {},
): Promise<WithdrawalId> {
  return (await createWithdrawal(app, call, inputOf(payee, changes))).id;
}

const NAMED = { WITHDRAWAL_PENDING_USER_ACTION: 'signup' } as const;
const DECIDED = {
  WITHDRAWAL_COMPLETED: 'COMPLETED',
  WITHDRAWAL_FAILED: 'FAILED',
  WITHDRAWAL_CANCELED: 'CANCELED',
} as const;

export interface WithdrawalIn extends Payee {
  readonly id: WithdrawalId;
}

/** A withdrawal of 20.00, brought to this state, of a user who had 50.00. */
export async function withdrawalIn(
  world: EscrowWorld,
  market: Market,
  state: Withdrawal['status'],
): Promise<WithdrawalIn> {
  const { app, sandbox } = world;
  const named = Object.entries(NAMED).find(([each]) => each === state)?.[1];
  const payee = await payeeWith(world, market, named === undefined ? {} : { name: named });
  const id = await createdBy(world, market, payee);
  if (state === 'WITHDRAWAL_CREATED') return { ...payee, id };
  if (state === 'WITHDRAWAL_COMMITTED') {
    await sandbox.arm('payment', 'payout.commit', 'drop-after');
    await commitWithdrawal(app, market.call, id).catch(() => undefined);
    await postponeAll(world);
    return { ...payee, id };
  }
  const decided = Object.entries(DECIDED).find(([each]) => each === state)?.[1];
  if (decided !== undefined) await seedPayout(world, { ...payee, id }, decided);
  await commitWithdrawal(app, market.call, id);
  return { ...payee, id };
}

/** The state after a lost reply: the provider has the payout, and its final status is set. */
export async function seedPayout(
  { app, sandbox }: EscrowWorld,
  { id, email }: WithdrawalIn,
  status: string,
  amountMinor = 2000n,
): Promise<void> {
  const recipient = { email };
  await app.payments?.createPayout({ code: id, recipient, amountMinor, note: 'lost' });
  await sandbox.setPayout(id, status);
}

/** A notification as the inbox passes it on. */
export function payoutNotification(
  { id }: Pick<WithdrawalIn, 'id'>,
  status: PayoutNotification['status'],
  changes: Partial<PayoutNotification> = {},
): PayoutNotification {
  return {
    eventId: randomUUID(),
    type: `payout.${status}` as PayoutNotification['type'],
    occurredAt: null,
    id,
    code: id,
    amountMinor: 2000n,
    currency: 'USD',
    status,
    reasonCode: null,
    reasonDescription: null,
    ...changes,
  };
}

export async function statusOf({ app }: EscrowWorld, { call }: Market, id: WithdrawalId) {
  return (await getWithdrawal(app, call, id)).status;
}

/** Available and reserved, as text. */
export async function holdsOf(
  { app }: EscrowWorld,
  { call }: Market,
  { userId }: Pick<Payee, 'userId'>,
  currency: Currency = 'USD',
): Promise<string> {
  const { available, reserved } = await getBalance(app, call, userId, currency);
  return `${minorText(available)} ${minorText(reserved)}`;
}

/** The provider's effects for a payout, in order. */
export async function payoutEffects({ sandbox }: EscrowWorld, id: WithdrawalId): Promise<string[]> {
  const journal = await sandbox.journal();
  return journal
    .filter(({ code, effect }) => code === id && effect.startsWith('payment.payout.'))
    .map(({ effect }) => effect.replace('payment.payout.', ''));
}

/** Entries of a withdrawal: their kinds, in order. */
export async function entriesOf(world: EscrowWorld, id: WithdrawalId): Promise<string[]> {
  const rows = await world.rows<{ kind: string; amount: string }>(
    'select kind, amount from entry where subject_id = $1 order by id',
    [id],
  );
  return rows.map(({ kind, amount }) => `${kind} ${minorText(BigInt(amount))}`);
}

/** An external account with XLM, and with a trustline if requested. */
export async function externalAccount(
  { sandbox, custody }: EscrowWorld,
  { trusts = true }: { readonly trusts?: boolean } = {},
): Promise<string> {
  const wallet = await custody.signer.newWallet(newId('wal', systemClock.now()));
  await sandbox.fund(wallet.address, '100');
  if (!trusts) return wallet.address;
  const { network, accountCreator, signer } = custody;
  const account = await network.account(wallet.address);
  const time = await network.closeTime();
  if (account.kind !== 'done' || account.value === null || time.kind !== 'done')
    throw new Error('the network has the account');
  const unsigned = accountCreator.usdcTrustline(
    {
      passphrase: network.passphrase,
      source: wallet.address,
      sequence: account.value.sequence + 1n,
      maxTime: time.value + 120,
      feePerOperation: 1000,
    },
    network.usdcIssuer,
  );
  const signed = await signer.signOwn(unsigned, [wallet]);
  if (signed.kind !== 'done') throw new Error(signed.reason);
  await submit(sandbox, signed.value.xdr);
  return wallet.address;
}

/** An address that the network does not know. */
export function unknownAddress(): string {
  return Keypair.random().publicKey();
}

/** The same object with some members replaced; its own methods still find their own fields. */
export function instead<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in changes ? changes : target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
