import type { TopupState } from '@holdfast/contract/topup-machine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desk } from '../testing/operators.ts';
import { messageAbout, sendPayment } from '../testing/payment-webhooks.ts';
import {
  actionsOf,
  askFor,
  auditTopups,
  availableOf,
  eventsOf,
  openTopupWorld,
  postingsOf,
  type TopupWorld,
  topupIn,
} from '../testing/topups.ts';
import type { Market } from '../testing/world.ts';
import { getTopup } from './get-topup.ts';
import type { Topup } from './topup.ts';

let world: TopupWorld;
let market: Market;
beforeAll(async () => {
  world = await openTopupWorld();
  market = await world.market();
});
afterAll(async () => {
  await world.engine.runWorker();
  await world.runInbox();
  expect(await auditTopups(world)).toEqual([]);
  await world.close();
});

const DONE = { status: 'ok', processed: true };
const NOT_DONE = { status: 'ok', processed: false };

const tell = async (topup: Topup, type: string, fields: Record<string, unknown> = {}) =>
  (await sendPayment(world, messageAbout(topup, type, fields))).json;
const statusOf = async ({ id }: Topup) => (await getTopup(world.app, market.call, id)).status;
const balanceOf = ({ userId }: Topup) => availableOf(world, market, userId);

const OPEN = ['TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING'] as const;
const ENDED = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'] as const;
const CREDIT = 'topup 5000 USD';
const SUSPENDED = 'topup_suspense 5000 USD';

/** Every state × every notice: where it is afterwards, and what is in the books. */
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
  ...ENDED.map((from) => [from, 'payin.processing', from, from === 'TOPUP_SUCCEEDED' ? [CREDIT] : []] as const),
  ...ENDED.map((from) => [from, 'payin.created', from, from === 'TOPUP_SUCCEEDED' ? [CREDIT] : []] as const),
  ['TOPUP_SUCCEEDED', 'payin.succeeded', 'TOPUP_SUCCEEDED', [CREDIT]],
  ['TOPUP_SUCCEEDED', 'payin.failed', 'TOPUP_SUCCEEDED', [CREDIT]],
  ['TOPUP_SUCCEEDED', 'payin.canceled', 'TOPUP_SUCCEEDED', [CREDIT]],
  ['TOPUP_FAILED', 'payin.succeeded', 'TOPUP_FAILED', [SUSPENDED]],
  ['TOPUP_FAILED', 'payin.canceled', 'TOPUP_FAILED', []],
  ['TOPUP_CANCELED', 'payin.succeeded', 'TOPUP_CANCELED', [SUSPENDED]],
  ['TOPUP_CANCELED', 'payin.failed', 'TOPUP_CANCELED', []],
];

describe('a notice', () => {
  it.each(TABLE)('%s, told %s, is %s', async (from, type, to, postings) => {
    const topup = await topupIn(world, market, from);
    expect(topup.status).toBe(from);
    expect(await tell(topup, type)).toEqual(DONE);
    expect(await statusOf(topup)).toBe(to);
    expect(await postingsOf(world, topup.id)).toEqual(postings);
    expect(await balanceOf(topup)).toBe(postings.includes(CREDIT) ? '50.00' : '0.00');
    // The same said again under another id changes nothing more.
    expect(await tell(topup, type)).toEqual(DONE);
    expect(await statusOf(topup)).toBe(to);
    expect(await postingsOf(world, topup.id)).toEqual(postings);
  });

  it('of a success has its events in order, and names the provider as the actor', async () => {
    const topup = await askFor(world, market);
    await tell(topup, 'payin.processing');
    await tell(topup, 'payin.succeeded');
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

  it('of a failure keeps its reason and its code', async () => {
    const topup = await askFor(world, market);
    await tell(topup, 'payin.failed', { reasonCode: 415034, reasonDescription: 'too little' });
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({
      failureReason: 'too little',
      errorCode: '415034',
    });
  });

  it('shows operators nobody’s address in the reason of a failure', async () => {
    const topup = await askFor(world, market);
    const reasonDescription = 'no account of ada@example.com';
    await tell(topup, 'payin.failed', { reasonDescription });
    const support = await desk(world, { role: 'support', marketplaceId: market.id });
    const { json } = await support.send('GET', `/topups/${topup.id}`);
    expect(json.data.data.failureReason).toBe('no account of a•••@e•••.com');
    const { failureReason } = await getTopup(world.app, market.call, topup.id);
    expect(failureReason).toBe(reasonDescription);
  });

  it('may name the pay-in by our own id, before we know any other', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CREATED');
    expect(await tell(topup, 'payin.succeeded')).toEqual(DONE);
    // The saga comes late, and finds it done.
    await world.sandbox.clearFaults();
    expect(await world.engine.runWorker()).toBe(0);
    expect(await getTopup(world.app, market.call, topup.id)).toMatchObject({
      status: 'TOPUP_SUCCEEDED',
      providerPayinId: expect.any(String),
    });
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
  });

  it('that is early waits for our own operation, however long', async () => {
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
  ])('%s goes to suspense and is raised; the top-up stays open', async (_, fields, posting) => {
    const topup = await askFor(world, market);
    expect(await tell(topup, 'payin.succeeded', fields)).toEqual(DONE);
    expect(await statusOf(topup)).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
    expect(await balanceOf(topup)).toBe('0.00');
    expect(await postingsOf(world, topup.id)).toEqual([posting]);
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_MONEY_SUSPENDED');
    // Once is enough, however often and with whatever else it is told.
    await tell(topup, 'payin.succeeded', fields);
    await tell(topup, 'payin.succeeded', { amount: 7000 });
    expect(await postingsOf(world, topup.id)).toEqual([posting]);
  });

  it('is the user’s after all when the record says so, and suspense is even again', async () => {
    const topup = await askFor(world, market);
    await tell(topup, 'payin.succeeded', { currency: 'XLM' });
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runLooks();
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await postingsOf(world, topup.id)).toEqual([
      'topup_suspense 5000 XLM',
      CREDIT,
      'topup_suspense_return 5000 XLM',
    ]);
    expect(await balanceOf(topup)).toBe('50.00');
  });

  it.each([
    ['in a currency that we have no books for', { currency: 'EUR' }],
    ['of nothing', { amount: 0 }],
    ['under another pay-in', { id: 'another' }],
  ])('%s is parked under its top-up, and nothing is booked', async (_, fields) => {
    const topup = await askFor(world, market);
    expect(await tell(topup, 'payin.succeeded', fields)).toEqual(NOT_DONE);
    expect(await postingsOf(world, topup.id)).toEqual([]);
    expect(await actionsOf(world, topup.id)).toContain('WEBHOOK_PARKED');
  });

  it('without an amount waits for the record', async () => {
    const topup = await askFor(world, market);
    expect(await tell(topup, 'payin.succeeded', { amount: null })).toEqual(NOT_DONE);
    expect(await postingsOf(world, topup.id)).toEqual([]);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runLooks();
    expect(await balanceOf(topup)).toBe('50.00');
    await world.runInbox();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
  });

  it('told under another’s code goes to suspense of the pay-in that it names', async () => {
    const [one, other] = [await askFor(world, market), await askFor(world, market)];
    // Our code comes first: the pay-in is not that one's.
    expect(await tell(one, 'payin.succeeded', { code: other.id })).toEqual(NOT_DONE);
    expect(await tell(one, 'payin.succeeded', { code: 'nobody' })).toEqual(DONE);
    expect(await postingsOf(world, one.id)).toEqual([SUSPENDED]);
    expect(await postingsOf(world, other.id)).toEqual([]);
  });
});

describe('the look that follows a notice', () => {
  it('agrees, and is the last one', async () => {
    const topup = await askFor(world, market);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await tell(topup, 'payin.succeeded');
    const looks = () => world.rows('select from topup_look where topup_id = $1', [topup.id]);
    expect(await looks()).toHaveLength(1);
    await world.runLooks();
    expect(await looks()).toHaveLength(0);
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
  });

  it('that finds the payment failed leaves the user’s money and charges suspense', async () => {
    const topup = await askFor(world, market);
    await tell(topup, 'payin.succeeded');
    await world.sandbox.setPayin(topup.id, 'FAILED');
    await world.runLooks();
    expect(await statusOf(topup)).toBe('TOPUP_SUCCEEDED');
    expect(await balanceOf(topup)).toBe('50.00');
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, 'topup_suspense_return 5000 USD']);
    expect(await actionsOf(world, topup.id)).toContain('TOPUP_CONTRADICTED');
    await world.runLooks();
    expect(await postingsOf(world, topup.id)).toHaveLength(2);
  });

  it('waits ten minutes for a record that lags, then charges suspense; and takes it back', async () => {
    const topup = await askFor(world, market);
    await tell(topup, 'payin.succeeded');
    await world.runLooks();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT]);
    await world.rows(
      `update topup set received_at = received_at - interval '11 minutes' where id = $1`,
      [topup.id],
    );
    await world.runLooks();
    expect(await postingsOf(world, topup.id)).toEqual([CREDIT, 'topup_suspense_return 5000 USD']);
    await world.sandbox.setPayin(topup.id, 'CONFIRMED');
    await world.runLooks();
    expect(await postingsOf(world, topup.id)).toEqual([
      CREDIT,
      'topup_suspense_return 5000 USD',
      SUSPENDED,
    ]);
    expect(await balanceOf(topup)).toBe('50.00');
  });

  it('that finds a late success untrue takes it out of suspense', async () => {
    const topup = await topupIn(world, market, 'TOPUP_CANCELED');
    await tell(topup, 'payin.succeeded');
    await world.runLooks();
    expect(await statusOf(topup)).toBe('TOPUP_CANCELED');
    expect(await postingsOf(world, topup.id)).toEqual([
      SUSPENDED,
      'topup_suspense_return 5000 USD',
    ]);
  });
});

it('each notice five times, shuffled, some before our own commit: one credit each', async () => {
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
