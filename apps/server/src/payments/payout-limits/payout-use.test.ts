import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { wire } from '../../app/wire.ts';
import { setWithdrawalsDue } from '../../testing/due.ts';
import { refusalOf } from '../../testing/escrows.ts';
import {
  createdBy,
  inputOf,
  payeeWith,
  payoutNotification,
  seedPayout,
  statusOf,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';
import { applyPayoutNotification } from '../withdrawals/apply-payout-notification.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { commitWithdrawal } from '../withdrawals/commit-withdrawal.ts';
import { refreshWithdrawal } from '../withdrawals/refresh-withdrawal.ts';
import type { Withdrawal } from '../withdrawals/withdrawal.ts';

/** The second withdrawal of 20.00 is above the limit of a user. */
const { world, market } = usePayoutWorld({ HOLDFAST_USER_PAYOUT_LIMIT: '30.00' });

type Id = Withdrawal['id'];
const commit = (id: Id, app = world.app) => commitWithdrawal(app, market.call, id);
const refused = async (id: Id) => (await refusalOf(commit(id))).code;

/** Two withdrawals of one user. */
async function pair(options: { readonly name?: string } = {}) {
  const payee = await payeeWith(world, market, options);
  const [first, second] = [
    await createdBy(world, market, payee),
    await createdBy(world, market, payee),
  ];
  return { payee, first, second };
}

describe('a commit above the limit', () => {
  it('is refused with 422 and Retry-After, changes nothing, and may be repeated later', async () => {
    const { payee, first, second } = await pair();
    await commit(first);
    const headers = { 'idempotency-key': randomUUID() };
    const path = `/withdrawals/${second}/commit`;
    const response = await market.send('POST', path, { headers });
    expect([response.status, response.json.error.code]).toEqual([422, 'LIMIT_REACHED']);
    const { retryAfter } = response.json.error.details;
    expect(retryAfter).toBeGreaterThan(86_000);
    expect(response.headers['retry-after']).toBe(String(retryAfter));
    expect(await statusOf(world, market, second)).toBe('WITHDRAWAL_CREATED');
    await world.rows(
      `update payout_use set claimed_at = claimed_at - interval '1 day' where user_id = $1`,
      [payee.userId],
    );
    const repeated = await market.send('POST', path, { headers });
    expect([repeated.status, repeated.json.data.data.status]).toEqual([200, 'WITHDRAWAL_PENDING']);
    const again = await market.send('POST', path, { headers });
    expect(again.json.data).toEqual(repeated.json.data);
  });

  it('by ten at once over the wire pays as much as the limit allows', async () => {
    const payee = await payeeWith(world, market, { funds: '200.00' });
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => createdBy(world, market, payee, { amount: '10.00' })),
    );
    const responses = await Promise.all(
      ids.map((id) => market.send('POST', `/withdrawals/${id}/commit`)),
    );
    const statuses = responses.map(({ status }) => status).sort((one, two) => one - two);
    expect(statuses).toEqual([200, 200, 200, ...Array.from({ length: 7 }, () => 422)]);
  });

  it('is refused by a process that has just started', async () => {
    const { first, second } = await pair();
    await commit(first);
    const restarted = wire(world.app.config, 'api', world.app.clock);
    try {
      const app = { ...restarted, engine: world.app.engine };
      expect((await refusalOf(commit(second, app))).code).toBe('LIMIT_REACHED');
    } finally {
      await restarted.close();
    }
  });

  it('is an INVALID_STATE first where the withdrawal has moved on', async () => {
    const { first, second } = await pair();
    await commit(first);
    await cancelWithdrawal(world.app, market.call, second);
    expect(await refused(second)).toBe('INVALID_STATE');
  });
});

describe('a withdrawal stops counting', () => {
  it('when it fails at once', async () => {
    const { first, second } = await pair();
    await world.sandbox.arm('payment', 'payout.create', 'reject');
    expect((await commit(first)).status).toBe('WITHDRAWAL_FAILED');
    expect((await commit(second)).status).toBe('WITHDRAWAL_PENDING');
  });

  it('when it is canceled at the provider', async () => {
    const { first, second } = await pair({ name: 'signup' });
    expect((await commit(first)).status).toBe('WITHDRAWAL_PENDING_USER_ACTION');
    expect(await refused(second)).toBe('LIMIT_REACHED');
    await cancelWithdrawal(world.app, market.call, first);
    expect((await commit(second)).status).toBe('WITHDRAWAL_PENDING_USER_ACTION');
  });

  it('when its payout comes back', async () => {
    const { payee, first, second } = await pair();
    await seedPayout(world, { ...payee, id: first }, 'COMPLETED');
    expect((await commit(first)).status).toBe('WITHDRAWAL_COMPLETED');
    expect(await refused(second)).toBe('LIMIT_REACHED');
    await world.sandbox.control('POST', `/payouts/${first}/return`);
    await setWithdrawalsDue(world, [first]);
    await refreshWithdrawal(world.app, market.call, first);
    expect((await commit(second)).status).toBe('WITHDRAWAL_PENDING');
  });

  it('only once the record agrees, where a notification calls it failed', async () => {
    const { first, second } = await pair();
    await commit(first);
    const failed = payoutNotification({ id: first }, 'failed');
    await applyPayoutNotification(world.app, market.call, first, failed, async () => undefined);
    expect(await statusOf(world, market, first)).toBe('WITHDRAWAL_FAILED');
    expect(await refused(second)).toBe('LIMIT_REACHED');
    await world.sandbox.setPayout(first, 'FAILED');
    await refreshWithdrawal(world.app, market.call, first);
    expect((await commit(second)).status).toBe('WITHDRAWAL_PENDING');
  });
});

it('records the first use of a destination with the withdrawal, or not at all', async () => {
  const payee = await payeeWith(world, market);
  const destinations = () =>
    world.rows('select fingerprint from payout_destination where user_id = $1', [payee.userId]);
  const tooMuch = inputOf(payee, { amount: '60.00' });
  const response = await market.send('POST', '/withdrawals', { body: tooMuch });
  expect([response.status, await destinations()]).toEqual([422, []]);
  await Promise.all([createdBy(world, market, payee), createdBy(world, market, payee)]);
  expect(await destinations()).toHaveLength(1);
});
