//! What the background jobs of payments find: reversed pay-ins, books that addresses do not match
//! yet, deposits.
import { POLL_TOPUP } from '../../../apps/server/src/testing/topups.ts';
import { createMarketplace } from '../../harness/people.ts';
import { depositUsdc, reversePayin, usdcAt } from '../../harness/sandbox.ts';
import { checkAddresses } from './check-result.ts';
import { get } from './client.ts';
import { newPayment, posterOf, prepareTopup, readPaymentEnding } from './payment-fixture.ts';
import type { Ending, Fixture, Surroundings } from './saga-row.ts';
import {
  addressOf,
  balanceText,
  createUser,
  endRefusedWaits,
  holdMirror,
  until,
  untilAddressReady,
} from './user-fixture.ts';

const FUNDS = '50.00';
const FUNDS_STROOPS = 500_000_000n;

/** The mirror works marketplace by marketplace: a batch has the users of one cell only. */
export function inOwnMarketplace(prepare: (environment: Surroundings) => Promise<Fixture>) {
  return async (environment: Surroundings): Promise<Fixture> => {
    const { key: apiKey } = await createMarketplace(environment.set.ready, 'Crash matrix');
    return { ...(await prepare({ ...environment, apiKey })), apiKey };
  };
}

/** Paid and credited, and a little of it is spent already. */
export async function prepareSpentTopup(environment: Surroundings): Promise<Fixture> {
  const fixture = await prepareTopup('paid')(environment);
  const post = posterOf(environment);
  await post(`/topups/${fixture.subjectId}/refresh`);
  // All debts of the matrix together stay below the limit at which payouts stop.
  await post(`/users/${fixture.userIds[0]}/balance/debit`, { amount: '1.00' });
  return fixture;
}

export async function reverseTopup(
  { sandbox, monitor }: Surroundings,
  { subjectId }: Fixture,
): Promise<void> {
  await reversePayin(sandbox, subjectId);
  await monitor.query(POLL_TOPUP, [subjectId]);
}

export async function isPolled(
  { monitor }: Surroundings,
  { subjectId }: Fixture,
): Promise<boolean> {
  const { rowCount } = await monitor.query('select from topup_poll where topup_id = $1', [
    subjectId,
  ]);
  return rowCount === 1;
}

export async function readReversal(environment: Surroundings, fixture: Fixture): Promise<Ending> {
  const [userId = ''] = fixture.userIds;
  const { status: user } = await get(environment, `/users/${userId}`);
  const { rows } = await environment.monitor.query<{ reversed: string; owed: string }>(
    `select reversed::text, (select sum(-available)::text from account
       where kind = 'debt' and owner_id = user_id) as owed from topup where id = $1`,
    [fixture.subjectId],
  );
  return {
    ...(await readPaymentEnding(environment, fixture)),
    user: String(user),
    reversed: rows[0]?.reversed ?? null,
    owed: rows[0]?.owed ?? null,
  };
}

/** Two users are due at once: their transfers are in one batch, unless it is halved. */
export async function prepareMirrorOut(environment: Surroundings): Promise<Fixture> {
  const post = posterOf(environment);
  const userIds: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const { id } = await createUser(post);
    await untilAddressReady(environment, id);
    await holdMirror(environment, id);
    await post(`/users/${id}/balance/credit`, { amount: FUNDS });
    userIds.push(id);
  }
  await until('due', async () => {
    const { rows } = await environment.monitor.query<{ due: number }>(
      `select count(distinct user_id)::int as due from mirror_queue where user_id = any ($1)`,
      [userIds],
    );
    return rows[0]?.due === userIds.length;
  });
  return { subjectId: '', userIds, disputeId: '' };
}

/** The user's address holds the whole balance. */
export async function prepareMirrorBack(environment: Surroundings): Promise<Fixture> {
  const fixture = await newPayment(environment);
  const [userId = ''] = fixture.userIds;
  await posterOf(environment)(`/users/${userId}/balance/credit`, { amount: FUNDS });
  await until('mirrored', async () => {
    const address = await addressOf(environment, userId);
    return address !== '' && (await usdcAt(environment.sandbox, address)) === FUNDS_STROOPS;
  });
  return fixture;
}

export async function spend(environment: Surroundings, { userIds }: Fixture): Promise<void> {
  const path = `/users/${userIds[0]}/balance/debit`;
  await posterOf(environment)(path, { amount: '20.00' });
}

export async function isMirrored(environment: Surroundings, fixture: Fixture): Promise<boolean> {
  await endRefusedWaits(environment, fixture.userIds);
  return (await checkAddresses(environment, fixture)).length === 0;
}

/** The user's address can hold USDC. */
export async function prepareDeposit(environment: Surroundings): Promise<Fixture> {
  const fixture = await newPayment(environment);
  await untilAddressReady(environment, fixture.userIds[0] ?? '');
  return fixture;
}

export async function deposit(environment: Surroundings, { userIds }: Fixture): Promise<void> {
  const address = await addressOf(environment, userIds[0] ?? '');
  await depositUsdc(environment.sandbox, address, FUNDS);
}

/** It is credited, the feed is read past it, and the mirror has read of it. */
export async function isCredited(
  { monitor }: Surroundings,
  { userIds }: Fixture,
): Promise<boolean> {
  const { rowCount } = await monitor.query(
    `select from deposit, network_cursor
     where user_id = any ($1) and operation_id::numeric <= cursor::numeric and not exists (
       select from event join mirror_cursor mirror using (marketplace_id)
       where aggregate_id = any ($1) and event.occurred_at > mirror.occurred_at)`,
    [userIds],
  );
  return (rowCount ?? 0) > 0;
}

export async function readDeposits(
  environment: Surroundings,
  { userIds }: Fixture,
): Promise<Ending> {
  const { rowCount } = await environment.monitor.query(
    'select from deposit where user_id = any ($1)',
    [userIds],
  );
  return {
    deposits: String(rowCount),
    balance: await balanceText(environment, userIds[0] ?? ''),
  };
}

export async function readBalances(
  environment: Surroundings,
  { userIds }: Fixture,
): Promise<Ending> {
  const balances = await Promise.all(userIds.map((userId) => balanceText(environment, userId)));
  return { balances: balances.join(', ') };
}
