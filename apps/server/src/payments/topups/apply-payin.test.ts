import type { TopupState } from '@holdfast/contract/machines/topup-machine';
import { afterAll, describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { messageAbout, sendPayment } from '../../testing/payment-webhooks.ts';
import {
  actionsOf,
  availableOf,
  eventsOf,
  postingsOf,
  requestTopup,
  topupIn,
  useTopupWorld,
} from '../../testing/topups.ts';
import { getTopup } from './read-topups.ts';
import type { Topup } from './topup.ts';

const { world, market } = useTopupWorld();
afterAll(async () => {
  await world.engine.runWorker();
  await world.runInbox();
});

const DONE = { status: 'ok', processed: true };
const NOT_DONE = { status: 'ok', processed: false };

const notify = async (topup: Topup, type: string, fields: Record<string, unknown> = {}) =>
  (await sendPayment(world, messageAbout(topup, type, fields))).json;
const statusOf = async ({ id }: Topup) => (await getTopup(world.app, market.call, id)).status;
const balanceOf = ({ userId }: Topup) => availableOf(world, market, userId);

const OPEN = ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'] as const;
const ENDED = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'] as const;
const CREDIT = 'topup 5000 USD';
const FEE = 'topup_fee 60 USD';
const SUSPENDED = 'topup_suspense 5000 USD';

/** Every state × every notification: the state afterwards, and the postings in the books. */
// biome-ignore format: a table is the one thing exempt from the line limit.
const TABLE: readonly (readonly [TopupState, string, TopupState, readonly string[]])[] = [
  ['TOPUP_CREATED', 'payin.created', 'TOPUP_CREATED', []],
  ['TOPUP_CREATED', 'payin.awaiting_user_confirmation', 'TOPUP_CREATED', []],
  ['TOPUP_AWAITING_USER_CONFIRMATION', 'payin.created', 'TOPUP_AWAITING_USER_CONFIRMATION', []],
  ['TOPUP_PROCESSING', 'payin.awaiting_user_confirmation', 'TOPUP_PROCESSING', []],
  ['TOPUP_AWAITING_USER_CONFIRMATION', 'payin.processing', 'TOPUP_PROCESSING', []],
  ['TOPUP_PROCESSING', 'payin.processing', 'TOPUP_PROCESSING', []],
  ...OPEN.map((from) => [from, 'payin.succeeded', 'TOPUP_SUCCEEDED', [CREDIT]] as const),
  ...OPEN.map((from) => [from, 'payin.failed', 'TOPUP_FAILED', []] as const),
  ...OPEN.map((from) => [from, 'payin.canceled', 'TOPUP_CANCELED', []] as const),
  ...ENDED.map((from) => [from, 'payin.processing', from, from === 'TOPUP_SUCCEEDED' ? [CREDIT, FEE] : []] as const),
  ...ENDED.map((from) => [from, 'payin.created', from, from === 'TOPUP_SUCCEEDED' ? [CREDIT, FEE] : []] as const),
  ['TOPUP_SUCCEEDED', 'payin.succeeded', 'TOPUP_SUCCEEDED', [CREDIT, FEE]],
  ['TOPUP_SUCCEEDED', 'payin.failed', 'TOPUP_SUCCEEDED', [CREDIT, FEE]],
  ['TOPUP_SUCCEEDED', 'payin.canceled', 'TOPUP_SUCCEEDED', [CREDIT, FEE]],
  ['TOPUP_FAILED', 'payin.succeeded', 'TOPUP_FAILED', [SUSPENDED]],
  ['TOPUP_FAILED', 'payin.canceled', 'TOPUP_FAILED', []],
  ['TOPUP_CANCELED', 'payin.succeeded', 'TOPUP_CANCELED', [SUSPENDED]],
  ['TOPUP_CANCELED', 'payin.failed', 'TOPUP_CANCELED', []],
];

describe('a pay-in notification', () => {
  it.each(TABLE)('moves %s, notified of %s, to %s', async (from, type, to, postings) => {
    const topup = await topupIn(world, market, from);
    expect(topup.status).toBe(from);
    expect(await notify(topup, type)).toEqual(DONE);
    expect(await statusOf(topup)).toBe(to);
    expect(await postingsOf(world, topup.id)).toEqual(postings);
    expect(await balanceOf(topup)).toBe(postings.includes(CREDIT) ? '50.00' : '0.00');
    // The same status under another notification id changes nothing more.
    expect(await notify(topup, type)).toEqual(DONE);
    expect(await statusOf(topup)).toBe(to);
    expect(await postingsOf(world, topup.id)).toEqual(postings);
  });

  it('of a success emits its events in order, and names the provider as the actor', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.processing');
    await notify(topup, 'payin.succeeded');
    expect(await eventsOf(world, topup.id)).toEqual([
      'topup.created',
      'topup.confirmation_required',
      'topup.processing',
      'balance.credited',
      'topup.succeeded',
    ]);
    expect(await actionsOf(world, topup.id)).toEqual([
      'TOPUP_CREATED',
      'TOPUP_AWAITING_USER_CONFIRMATION',
      'TOPUP_PROCESSING',
      'TOPUP_SUCCEEDED',
    ]);
    const [row] = await world.rows(
      `select actor_type, actor_id from audit where resource_id = $1 and action = 'TOPUP_SUCCEEDED'`,
      [topup.id],
    );
    expect(row).toEqual({ actor_type: 'PROVIDER', actor_id: 'payment-provider' });
  });

  it('of a failure stores its reason and its code', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.failed', { reasonCode: 415034, reasonDescription: 'too little' });
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({
      failureReason: 'too little',
      errorCode: '415034',
    });
  });

  it('hides the payer’s address from operators in the reason of a failure', async () => {
    const topup = await requestTopup(world, market);
    const reasonDescription = 'no account of ada@example.com';
    await notify(topup, 'payin.failed', { reasonDescription });
    const support = await desk(world, { role: 'support', marketplaceId: market.id });
    const { json } = await support.send('GET', `/topups/${topup.id}`);
    expect(json.data.data.failureReason).toBe('no account of a•••@e•••.com');
    const { failureReason } = await getTopup(world.app, market.call, topup.id);
    expect(failureReason).toBe(reasonDescription);
  });

  it('may name the pay-in by our own id, before we know the provider’s', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    expect(await notify(topup, 'payin.succeeded')).toEqual(DONE);
    // The saga runs late and finds the top-up already credited.
    await world.sandbox.clearFaults();
    expect(await world.engine.runWorker()).toBe(0);
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({
      status: 'TOPUP_SUCCEEDED',
      providerPayinId: expect.any(String),
    });
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
  });

  it('that is early waits for our own operation to end', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    const message = messageAbout(topup, 'payin.processing');
    expect((await sendPayment(world, message)).json).toEqual(DONE);
    for (let times = 0; times < 12; times += 1) await world.runInbox();
    expect(await world.runInbox()).toBeGreaterThan(0);
    await world.engine.runWorker();
    expect(await world.runInbox()).toBe(0);
    expect(await statusOf(topup)).toBe('TOPUP_PROCESSING');
  });
});

describe('money that does not fit', () => {
  it.each([
    ['another amount', { amount: 5000 }, 'topup_suspense 500000 USD'],
    ['a cent less', { amount: 49.99 }, 'topup_suspense 4999 USD'],
    ['another currency', { currency: 'XLM' }, 'topup_suspense 5000 XLM'],
  ])('%s goes to suspense and is reported; the top-up stays open', async (_, fields, posting) => {
    const topup = await requestTopup(world, market);
    expect(await notify(topup, 'payin.succeeded', fields)).toEqual(DONE);
    expect(await statusOf(topup)).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
    expect(await balanceOf(topup)).toBe('0.00');
    expect(await postingsOf(world, topup.id)).toEqual([posting]);
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_MONEY_SUSPENDED');
    // A repeat, even with other fields, books nothing more.
    await notify(topup, 'payin.succeeded', fields);
    await notify(topup, 'payin.succeeded', { amount: 7000 });
    expect(await postingsOf(world, topup.id)).toEqual([posting]);
  });

  it('is credited when the record confirms it, and suspense returns to zero', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded', { currency: 'XLM' });
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await postingsOf(world, topup.id)).toEqual([
      'topup_suspense 5000 XLM',
      CREDIT,
      'topup_suspense_return 5000 XLM',
      FEE,
    ]);
    expect(await balanceOf(topup)).toBe('50.00');
  });

  it.each([
    ['in a currency that we have no books for', { currency: 'EUR' }],
    ['of nothing', { amount: 0 }],
    ['under another pay-in', { id: 'another' }],
  ])('%s is parked under its top-up, and nothing is booked', async (_, fields) => {
    const topup = await requestTopup(world, market);
    expect(await notify(topup, 'payin.succeeded', fields)).toEqual(NOT_DONE);
    expect(await postingsOf(world, topup.id)).toEqual([]);
    expect(await actionsOf(world, topup.id)).toContain('WEBHOOK_PARKED');
  });

  it('without an amount waits for the record', async () => {
    const topup = await requestTopup(world, market);
    expect(await notify(topup, 'payin.succeeded', { amount: null })).toEqual(NOT_DONE);
    expect(await postingsOf(world, topup.id)).toEqual([]);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await balanceOf(topup)).toBe('50.00');
    await world.runInbox();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, FEE]);
  });

  it('under the code of another top-up goes to suspense of the pay-in that it names', async () => {
    const [one, other] = [await requestTopup(world, market), await requestTopup(world, market)];
    // Our code decides first: the pay-in does not belong to that top-up.
    expect(await notify(one, 'payin.succeeded', { code: other.id })).toEqual(NOT_DONE);
    expect(await notify(one, 'payin.succeeded', { code: 'unknown' })).toEqual(DONE);
    expect(await postingsOf(world, one.id)).toEqual([SUSPENDED]);
    expect(await postingsOf(world, other.id)).toEqual([]);
  });
});

describe('the poll after a notification', () => {
  it('agrees with it, and ends the polling', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    const polls = () => world.rows('select from topup_poll where topup_id = $1', [topup.id]);
    expect(await polls()).toHaveLength(1);
    await world.runPolls();
    expect(await polls()).toHaveLength(0);
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, FEE]);
  });

  it('that finds the payment failed leaves the user’s money and charges suspense', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    await world.sandbox.setPayin(topup.id, 'FAILED');
    await world.runPolls();
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await balanceOf(topup)).toBe('50.00');
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, 'topup_suspense_return 5000 USD']);
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_CONTRADICTED');
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toHaveLength(2);
  });

  it('waits ten minutes for a record that lags, charges suspense, and reverses that', async () => {
    const topup = await requestTopup(world, market);
    await notify(topup, 'payin.succeeded');
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
    await world.rows(
      `update topup set received_at = received_at - interval '11 minutes' where id = $1`,
      [topup.id],
    );
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, 'topup_suspense_return 5000 USD']);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runPolls();
    expect(await postingsOf(world, topup.id)).toEqual([
      CREDIT,
      'topup_suspense_return 5000 USD',
      SUSPENDED,
      FEE,
    ]);
    expect(await balanceOf(topup)).toBe('50.00');
  });

  it('that finds a late success untrue takes it out of suspense', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CANCELED');
    await notify(topup, 'payin.succeeded');
    await world.runPolls();
    expect(await statusOf(topup)).toBe('TOPUP_CANCELED');
    expect(await postingsOf(world, topup.id)).toEqual([
      SUSPENDED,
      'topup_suspense_return 5000 USD',
    ]);
  });
});

it('notifications five times, shuffled, some before our commit, give one credit each', async () => {
  const topups: Topup[] = [];
  for (let count = 0; count < 8; count += 1)
    topups.push(await topupIn(world, market, count < 2 ? 'TOPUP_CREATED' : OPEN[1]));
  const types = ['payin.created', 'payin.processing', 'payin.succeeded'];
  const messages = topups.flatMap((topup) => types.map((type) => messageAbout(topup, type)));
  const copies = messages.flatMap((message) => Array.from({ length: 5 }, () => message));
  const shuffled = copies
    .map((message, at) => ({ message, key: (at * 7919) % 1009 }))
    .sort((one, other) => one.key - other.key);
  await Promise.all([
    world.engine.runWorker(),
    ...shuffled.map(({ message }) => sendPayment(world, message)),
  ]);
  await world.engine.runWorker();
  await world.runInbox();
  for (const topup of topups) {
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await balanceOf(topup)).toBe('50.00');
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
  }
});
