//! A top-up or a withdrawal brought to the state before a saga, read after it, and ended.
import { type ApiTarget, call, type Post } from '../../harness/api.ts';
import { decide } from '../../harness/sandbox.ts';
import { within } from '../../harness/wait.ts';
import { callWithRetry, get } from './client.ts';
import type { Ending, Fixture, Surroundings } from './saga-row.ts';
import { balanceText, createUser, holdMirror, untilAddressReady } from './user-fixture.ts';

const FUNDS = '50.00';
const ENDED_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 250;

export const posterOf =
  (environment: ApiTarget): Post =>
  (path, body = {}) =>
    callWithRetry(environment, { path, body });

/** A user alone: the request creates the payment. */
export async function newPayment(environment: Surroundings): Promise<Fixture> {
  const { id } = await createUser(posterOf(environment));
  return { subjectId: '', userIds: [id], disputeId: '' };
}

export function prepareTopup(point: 'open' | 'paid') {
  return async (environment: Surroundings): Promise<Fixture> => {
    const fixture = await newPayment(environment);
    const body = { userId: fixture.userIds[0], amount: FUNDS };
    await posterOf(environment)('/topups', body);
    const subjectId = await paymentOf(environment, fixture);
    if (point === 'paid') await decide(environment.sandbox, 'payins', subjectId, 'CONFIRMED');
    return { ...fixture, subjectId };
  };
}

export function prepareWithdrawal(type: 'payment_account' | 'crypto', point: 'created' | 'sent') {
  return async (environment: Surroundings): Promise<Fixture> => {
    const post = posterOf(environment);
    const { id: userId, email } = await createUser(post);
    if (type === 'crypto') {
      await untilAddressReady(environment, userId);
      // The treasury covers the address only if the mirror has not filled it before.
      await holdMirror(environment, userId);
    }
    await post(`/users/${userId}/balance/credit`, { amount: FUNDS });
    const destination = { type, ref: type === 'crypto' ? environment.externalAddress : email };
    const input = { userId, amount: '20.00', currency: 'USD', destination };
    const subjectId = String((await post('/withdrawals', input))['id']);
    const fixture = { subjectId, userIds: [userId], disputeId: '' };
    if (point === 'sent') await post(`/withdrawals/${subjectId}/commit`);
    return fixture;
  };
}

/** The user's only payment; empty if there is none. */
export async function paymentOf(
  { monitor }: Pick<Surroundings, 'monitor'>,
  { userIds }: Fixture,
): Promise<string> {
  const { rows } = await monitor.query<{ id: string }>(
    `select id from topup where user_id = any ($1)
     union all select id from withdrawal where user_id = any ($1)`,
    [userIds],
  );
  if (rows.length > 1) throw new Error(`${rows.length} payments, not one`);
  return rows[0]?.id ?? '';
}

export async function readPaymentEnding(
  environment: Surroundings,
  fixture: Fixture,
): Promise<Ending> {
  const { status } = await get(environment, await pathOf(environment, fixture));
  return {
    status: String(status),
    balance: await balanceText(environment, fixture.userIds[0] ?? ''),
  };
}

async function pathOf(environment: Surroundings, fixture: Fixture): Promise<string> {
  const id = await paymentOf(environment, fixture);
  return `/${id.startsWith('topup') ? 'topups' : 'withdrawals'}/${id}`;
}

const IS_OPEN = /^(TOPUP_AWAITING|TOPUP_PROCESSING|WITHDRAWAL_PENDING)/;

/** What waits for its payer is canceled, what is in transit is completed. */
export async function endPayment(environment: Surroundings, fixture: Fixture): Promise<void> {
  const path = await pathOf(environment, fixture);
  const isEnded = async () => {
    const { status } = await get(environment, path);
    if (!IS_OPEN.test(String(status))) return true;
    await call(environment, { path: `${path}/refresh`, method: 'POST' });
    return false;
  };
  if (await isEnded()) return;
  const id = await paymentOf(environment, fixture);
  if (id.startsWith('topup')) await decide(environment.sandbox, 'payins', id, 'CANCELED');
  else await decide(environment.sandbox, 'payouts', id, 'COMPLETED');
  if (!(await within(ENDED_MS_MAX, isEnded, POLL_INTERVAL_MS))) throw new Error(`${path} is open`);
}
