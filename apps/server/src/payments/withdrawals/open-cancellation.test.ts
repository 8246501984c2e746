//! Cancellations of payouts whose outcome is not known at once, and who is recorded as canceling.
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../testing/escrows.ts';
import {
  entriesOf,
  holdsOf,
  payoutEffects,
  payoutNotification,
  statusOf,
  usePayoutWorld,
  type WithdrawalIn,
  withdrawalIn,
} from '../../testing/withdrawals.ts';
import { applyPayoutNotification } from './apply-payout-notification.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import { refreshWithdrawal } from './refresh-withdrawal.ts';

const { world, market } = usePayoutWorld();

const pending = () => withdrawalIn(world, market, 'WITHDRAWAL_PENDING');
const cancel = ({ id }: WithdrawalIn) => cancelWithdrawal(world.app, market.call, id);
const post = ({ id }: WithdrawalIn) => market.send('POST', `/withdrawals/${id}/cancel`);
const holds = (one: WithdrawalIn) => holdsOf(world, market, one);
const status = ({ id }: WithdrawalIn) => statusOf(world, market, id);
const RETURNED = ['withdrawal_hold 20.00', 'withdrawal_hold_return 20.00'];

const canceledBy = async ({ id }: WithdrawalIn) => {
  await world.sequence();
  return world.rows(
    `select event.payload->>'canceledBy' as event, audit.after->>'canceledBy' as audit
     from event join audit on audit.resource_id = event.aggregate_id
     where event.aggregate_id = $1 and event.event_type = 'withdrawal.canceled'
       and audit.action = 'WITHDRAWAL_CANCELED'`,
    [id],
  );
};
const byUs = () => [{ event: market.keyId, audit: market.keyId }];
const BY_PROVIDER = [{ event: 'payment-provider', audit: 'payment-provider' }];

it('records its caller as the one who canceled', async () => {
  const one = await pending();
  await cancel(one);
  expect(await canceledBy(one)).toEqual(byUs());
});

describe('when the reply is lost', () => {
  it.each(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage'])(
    '%s: the operation continues until the payout is canceled, once',
    async (fault) => {
      const one = await pending();
      await world.sandbox.arm('payment', 'payout.cancel', fault);
      const { status: code, json } = await post(one);
      if (code !== 200) {
        expect([code, json.error.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
        expect(json.error.details.operationId).toMatch(/^op_/);
        expect(await holds(one)).toBe('30.00 20.00');
        expect((await refusalOf(cancel(one))).code).toBe('SERVICE_UNAVAILABLE');
      }
      expect(await world.engine.runWorker()).toBe(0);
      expect(await status(one)).toBe('WITHDRAWAL_CANCELED');
      expect(await payoutEffects(world, one.id)).toEqual(['create', 'commit', 'cancel']);
      expect(await entriesOf(world, one.id)).toEqual(RETURNED);
      expect(await canceledBy(one)).toEqual(byUs());
    },
  );

  const lost = async () => {
    const one = await pending();
    await world.sandbox.arm('payment', 'payout.cancel', 'error-before');
    expect((await refusalOf(cancel(one))).code).toBe('PROVIDER_TIMEOUT');
    return one;
  };

  it('the provider’s notification or record names our caller, too', async () => {
    const notified = await lost();
    await applyPayoutNotification(
      world.app,
      market.call,
      notified.id,
      payoutNotification(notified, 'canceled'),
      async () => undefined,
    );
    const read = await lost();
    await world.sandbox.setPayout(read.id, 'CANCELED');
    await refreshWithdrawal(world.app, market.call, read.id);
    for (const one of [notified, read]) {
      expect(await status(one)).toBe('WITHDRAWAL_CANCELED');
      expect(await canceledBy(one)).toEqual(byUs());
    }
    expect(await world.engine.runWorker()).toBe(0);
    for (const one of [notified, read]) expect(await entriesOf(world, one.id)).toEqual(RETURNED);
  });

  it('a payout that completes meanwhile stays paid, and the cancellation is refused', async () => {
    const one = await lost();
    await world.sandbox.setPayout(one.id, 'COMPLETED');
    expect(await world.engine.runWorker()).toBe(0);
    expect(await status(one)).toBe('WITHDRAWAL_COMPLETED');
    expect(await entriesOf(world, one.id)).toEqual([
      'withdrawal_hold 20.00',
      'withdrawal_payout 20.00',
    ]);
    const [operation] = await world.rows(
      `select refusal_code from operation where resource_id = $1 and kind = 'cancel-withdrawal'`,
      [one.id],
    );
    expect(operation).toEqual({ refusal_code: 'INVALID_STATE' });
  });
});

it('racing a completing payout ends in exactly one way', async () => {
  for (let round = 0; round < 6; round += 1) {
    const one = await pending();
    const [canceled] = await Promise.allSettled([
      cancel(one),
      world.sandbox.setPayout(one.id, 'COMPLETED').catch(() => undefined),
    ]);
    await world.engine.runWorker();
    await refreshWithdrawal(world.app, market.call, one.id);
    const isCanceled = canceled.status === 'fulfilled';
    expect(await status(one)).toBe(isCanceled ? 'WITHDRAWAL_CANCELED' : 'WITHDRAWAL_COMPLETED');
    expect(await holds(one)).toBe(isCanceled ? '50.00 0.00' : '30.00 0.00');
    expect(await entriesOf(world, one.id)).toHaveLength(2);
  }
});

it('canceled at the provider by someone else is the provider’s cancellation', async () => {
  const one = await pending();
  await world.sandbox.setPayout(one.id, 'CANCELED');
  await refreshWithdrawal(world.app, market.call, one.id);
  expect(await canceledBy(one)).toEqual(BY_PROVIDER);
});
