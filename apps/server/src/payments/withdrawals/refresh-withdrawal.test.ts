import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { unknown } from '../../providers/outcome.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { eventsOf, oneCall } from '../../testing/orders.ts';
import {
  entriesOf,
  holdsOf,
  instead,
  statusOf,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { refreshWithdrawal } from './refresh-withdrawal.ts';

const { world, market } = usePayoutWorld();
afterAll(() => world.engine.runWorker());

it.each([
  ['COMPLETED', '30.00 0.00'],
  ['FAILED', '50.00 0.00'],
  ['CANCELED', '50.00 0.00'],
])('finds a payout %s, once, however many callers refresh', async (status, left) => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  await world.sandbox.setPayout(one.id, status);
  const refresh = () => market.send('POST', `/withdrawals/${one.id}/refresh`);
  const responses = await Promise.all([refresh(), refresh(), refresh()]);
  expect(responses.map((response) => response.json.data?.data.status)).toEqual(
    Array(3).fill(`WITHDRAWAL_${status}`),
  );
  expect(await holdsOf(world, market, one)).toBe(left);
  expect(await entriesOf(world, one.id)).toHaveLength(2);
  await refresh();
  expect(await entriesOf(world, one.id)).toHaveLength(2);
});

it('finds a payout whose commit outcome is unknown, before its operation does', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_COMMITTED');
  const call = oneCall(market);
  const found = await refreshWithdrawal(world.app, call, one.id);
  expect(found.status).toBe('WITHDRAWAL_PENDING');
  expect(found.providerPayoutId).not.toBeNull();
  expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual(['withdrawal.pending']);
  expect(await world.engine.runWorker()).toBe(0);
  expect(await statusOf(world, market, one.id)).toBe('WITHDRAWAL_PENDING');
});

it('does not call the provider for a withdrawal that was never sent', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
  const app = { ...world.app, payments: undefined };
  expect((await refreshWithdrawal(app, market.call, one.id)).status).toBe('WITHDRAWAL_CREATED');
});

it('reports a silent provider, and under the same key returns the first response', async () => {
  const one = await withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
  const headers = { 'idempotency-key': randomUUID() };
  const path = `/withdrawals/${one.id}/refresh`;
  const first = await market.send('POST', path, { headers });
  const { payments } = world.app;
  if (payments === undefined) throw new Error('the sandbox has a payment provider');
  const findPayout = async () => unknown('silence');
  Object.assign(world.app, { payments: instead(payments, { findPayout }) });
  try {
    expect(await refusalOf(refreshWithdrawal(world.app, market.call, one.id))).toEqual({
      code: 'PROVIDER_TIMEOUT',
      details: { operationId: null },
    });
    const again = await market.send('POST', path, { headers });
    expect([again.status, again.json.data]).toEqual([200, first.json.data]);
  } finally {
    Object.assign(world.app, { payments });
  }
});
