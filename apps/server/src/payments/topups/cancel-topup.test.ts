import { afterAll, describe, expect, it } from 'vitest';
import { messageAbout, sendPayment } from '../../testing/payment-webhooks.ts';
import { isRefusal } from '../../testing/refusal.ts';
import {
  actionsOf,
  availableOf,
  eventsOf,
  postingsOf,
  pressPay,
  requestTopup,
  topupIn,
  useTopupWorld,
} from '../../testing/topups.ts';
import { cancelTopup } from './cancel-topup.ts';
import { getTopup } from './read-topups.ts';
import type { Topup } from './topup.ts';

const { world, market } = useTopupWorld();
afterAll(() => world.engine.runWorker());

const cancel = ({ id }: Topup, reason?: string) =>
  cancelTopup(world.app, market.call, id, reason === undefined ? {} : { reason });
const statusOf = async ({ id }: Topup) => (await getTopup(world.app, market.call, id)).status;

it('closes the payment page and records who canceled, and why', async () => {
  const topup = await requestTopup(world, market);
  expect(await cancel(topup, 'changed my mind')).toMatchObject({ status: 'TOPUP_CANCELED' });
  await expect(pressPay(world, topup.id)).rejects.toThrow(/returned 4/);
  await world.sequence();
  const [event] = await world.rows<{ payload: object }>(
    `select payload from event where event_type = 'topup.canceled' and aggregate_id = $1`,
    [topup.id],
  );
  expect(event?.payload).toEqual({
    topupId: topup.id,
    userId: topup.userId,
    amount: '50.00',
    canceledBy: market.keyId,
    reason: 'changed my mind',
  });
  expect(await world.rows('select from topup_poll where topup_id = $1', [topup.id])).toEqual([]);
});

describe('is refused with INVALID_STATE', () => {
  it.each(['TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'] as const)(
    'when %s, and changes nothing',
    async (state) => {
      const topup = await topupIn(world, market, state);
      const before = await actionsOf(world, topup.id);
      await expect(cancel(topup)).rejects.toSatisfy(isRefusal('INVALID_STATE'));
      expect(await actionsOf(world, topup.id)).toEqual(before);
    },
  );

  it('while it is still being created at the provider', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    await expect(cancel(topup)).rejects.toSatisfy(isRefusal('SERVICE_UNAVAILABLE'));
    await world.engine.runWorker();
    expect(await cancel(topup)).toMatchObject({ status: 'TOPUP_CANCELED' });
  });

  it('when the payer was faster, whose money is credited', async () => {
    const topup = await requestTopup(world, market);
    await pressPay(world, topup.id);
    await expect(cancel(topup)).rejects.toSatisfy(isRefusal('INVALID_STATE'));
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
  });
});

describe('when the reply is lost', () => {
  it.each(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage'])(
    '%s: the operation continues until the page is closed',
    async (fault) => {
      const topup = await requestTopup(world, market);
      await world.sandbox.arm('payment', 'payin.cancel', fault);
      const result = await cancel(topup).catch((error: Error) => error);
      if (result instanceof Error) expect(result).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
      expect(await world.engine.runWorker()).toBe(0);
      expect(await statusOf(topup)).toBe('TOPUP_CANCELED');
      expect(await eventsOf(world, topup.id)).toEqual([
        'topup.created',
        'topup.confirmation_required',
        'topup.canceled',
      ]);
    },
  );

  it('the provider’s notification waits, so that our caller is recorded as canceling', async () => {
    const topup = await requestTopup(world, market);
    await world.sandbox.arm('payment', 'payin.cancel', 'error-before');
    await expect(cancel(topup)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
    await sendPayment(world, messageAbout(topup, 'payin.canceled'));
    expect(await statusOf(topup)).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
    await world.engine.runWorker();
    await world.runInbox();
    const rows = await world.rows(
      `select after->>'canceledBy' as by from audit
       where resource_id = $1 and action = 'TOPUP_CANCELED'`,
      [topup.id],
    );
    expect(rows).toEqual([{ by: market.keyId }]);
  });

  it('a payment during the cancellation is credited to the user', async () => {
    const topup = await requestTopup(world, market);
    await world.sandbox.arm('payment', 'payin.cancel', 'error-before');
    await expect(cancel(topup)).rejects.toSatisfy(isRefusal('PROVIDER_TIMEOUT'));
    await pressPay(world, topup.id);
    await world.engine.runWorker();
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD', 'topup_fee 60 USD']);
  });
});

it('of two at once one cancels, and the other is refused', async () => {
  const topup = await requestTopup(world, market);
  const results = await Promise.allSettled([cancel(topup), cancel(topup)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await statusOf(topup)).toBe('TOPUP_CANCELED');
});
