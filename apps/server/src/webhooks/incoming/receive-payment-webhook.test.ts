import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import {
  messageAbout,
  PAYMENT_PATH,
  PAYMENT_SECRET,
  paymentHeaders,
  sendPayment,
} from '../../testing/payment-webhooks.ts';
import {
  actionsOf,
  availableOf,
  openTopupWorld,
  postingsOf,
  pressPay,
  requestTopup,
  useTopupWorld,
} from '../../testing/topups.ts';
import { until } from '../../testing/until.ts';
import { type InboxRow, inboxRow } from '../../testing/webhooks.ts';
import { openWorld } from '../../testing/world.ts';
import { applyInbox } from './apply-inbox.ts';
import { storeEvent } from './inbox.ts';

const NEW_SECRET = `whsec_${Buffer.from('the next secret').toString('base64')}`;

const { world, market } = useTopupWorld({
  PAYMENT_WEBHOOK_SECRET: `${NEW_SECRET},${PAYMENT_SECRET}`,
});
afterAll(() => world.runInbox());

const DONE = { status: 'ok', processed: true };
const AGAIN = { status: 'ok', duplicate: true };
const NOT_DONE = { status: 'ok', processed: false };

describe('receiving a signed notification', () => {
  it('applies it before it is acknowledged, and stores it to the byte', async () => {
    const topup = await requestTopup(world, market);
    const message = messageAbout(topup, 'payin.succeeded');
    const body = JSON.stringify(message, null, 2);
    const { status, json } = await sendPayment(world, body);
    expect([status, json]).toEqual([200, DONE]);
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
    const [row] = await world.rows('select body, status from inbox where provider_event_id = $1', [
      message.eventId,
    ]);
    expect(row).toEqual({ body, status: 'APPLIED' });
  });

  it('applies one of twenty at once, and treats every later one as a duplicate', async () => {
    const topup = await requestTopup(world, market);
    const message = messageAbout(topup, 'payin.succeeded');
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => sendPayment(world, message)),
    );
    expect(responses.filter(({ json }) => json.processed === true)).toHaveLength(1);
    expect(responses.filter(({ json }) => json.duplicate === true)).toHaveLength(19);
    expect((await sendPayment(world, message)).json).toEqual(AGAIN);
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD']);
  });

  it('applies it in the request, even while workers are polling', async () => {
    const topups = await Promise.all(Array.from({ length: 8 }, () => requestTopup(world, market)));
    let isOver = false;
    const eager = (async () => {
      while (!isOver) await applyInbox(world.worker);
    })();
    const responses = await Promise.all(
      topups.map((topup) => sendPayment(world, messageAbout(topup, 'payin.succeeded'))),
    );
    isOver = true;
    await eager;
    expect(responses.map(({ json }) => json)).toEqual(topups.map(() => DONE));
  });

  it('accepts either secret during a rotation', async () => {
    const topup = await requestTopup(world, market);
    const message = messageAbout(topup, 'payin.processing');
    expect((await sendPayment(world, message, { secret: NEW_SECRET })).json).toEqual(DONE);
  });

  it('counts another body under the same id, and keeps the first one', async () => {
    const topup = await requestTopup(world, market);
    const message = messageAbout(topup, 'payin.processing');
    await sendPayment(world, message);
    const other = { ...message, eventType: 'payin.succeeded' };
    expect((await sendPayment(world, other)).json).toEqual(AGAIN);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
    expect(await inboxRow(world, message.eventId)).toMatchObject({ contradictions: 1 });
  });

  it('identifies the vendor’s own form by the id of its message', async () => {
    const topup = await requestTopup(world, market);
    const data = { id: topup.providerPayinId, code: topup.id, status: 'CONFIRMED', amount: 50 };
    const [body, id] = [{ type: 'payin.confirmed', data }, `msg_${randomUUID()}`];
    expect((await sendPayment(world, body, { id })).json).toEqual(DONE);
    expect((await sendPayment(world, body, { id })).json).toEqual(AGAIN);
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
  });
});

describe('receiving an unverified request', () => {
  it('returns 401, stores no row and changes nothing', async () => {
    const topup = await requestTopup(world, market);
    const body = JSON.stringify(messageAbout(topup, 'payin.succeeded'));
    const good = paymentHeaders(body);
    const rows = await world.rows('select from inbox');
    const wrong: Record<string, string>[] = [
      {},
      ...Object.keys(good).map((name) => ({ ...good, [name]: '' })),
      { ...good, 'svix-id': 'other' },
      paymentHeaders(`${body} `),
      paymentHeaders(body, { offset: -330 }),
      paymentHeaders(body, { offset: 330 }),
      paymentHeaders(body, { secret: `whsec_${Buffer.from('wrong').toString('base64')}` }),
    ];
    for (const headers of wrong) {
      const response = await world.send('POST', PAYMENT_PATH, { body, headers });
      expect([response.status, response.json.error.code]).toEqual([
        401,
        'WEBHOOK_SIGNATURE_INVALID',
      ]);
    }
    expect(await world.rows('select from inbox')).toHaveLength(rows.length);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
  });

  it('counts it by its address, and never signed ones', async () => {
    const few = await openTopupWorld({ HOLDFAST_RATE_LIMIT: '3' });
    try {
      const send = (body: string, headers = {}) =>
        few.send('POST', PAYMENT_PATH, { body, headers });
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await send('{}')).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      expect((await sendPayment(few, '{"eventId":"e1"}')).status).toBe(200);
    } finally {
      await few.close();
    }
  });

  it('accepts it in development without a secret, where nothing is verified', async () => {
    const open = await openWorld();
    try {
      const body = messageAbout(await requestTopup(world, market), 'payin.succeeded');
      expect((await open.send('POST', PAYMENT_PATH, { body })).json).toEqual(NOT_DONE);
      const unnamed = await open.send('POST', PAYMENT_PATH, { body: { type: 'x', data: {} } });
      expect(unnamed.json.error.code).toBe('VALIDATION_ERROR');
    } finally {
      await open.close();
    }
  });
});

describe('receiving an unmatched notification', () => {
  it('acknowledges it, retries for a while, then parks and keeps it', async () => {
    const ghost = {
      ...(await requestTopup(world, market)),
      id: 'topup_none',
      providerPayinId: 'none',
    };
    const message = messageAbout(ghost as never, 'payin.succeeded');
    expect((await sendPayment(world, message)).json).toEqual(NOT_DONE);
    const seen = async () => (await inboxRow(world, message.eventId)) as InboxRow;
    expect(await seen()).toMatchObject({ status: 'PENDING', attempts: 1, marketplace_id: null });
    for (let times = 0; times < 10; times += 1) await world.runInbox();
    expect(await seen()).toMatchObject({
      status: 'PARKED',
      attempts: 10,
      last_error: 'No matching top-up.',
    });
    expect((await sendPayment(world, message)).json).toEqual(AGAIN);
  });

  it.each([
    ['an unknown type', { eventType: 'payin.exploded' }],
    ['a body that is no JSON', undefined],
  ])('stores and parks %s at once', async (_, changes) => {
    const id = `msg_${randomUUID()}`;
    const topup = await requestTopup(world, market);
    const message = { ...messageAbout(topup, 'payin.succeeded'), ...changes };
    const body = changes === undefined ? 'hello' : JSON.stringify(message);
    expect((await sendPayment(world, body, { id })).json).toEqual(NOT_DONE);
    const eventId = changes === undefined ? id : message.eventId;
    expect(await inboxRow(world, eventId)).toMatchObject({
      status: 'PARKED',
      last_error: 'The notification cannot be parsed.',
    });
  });

  it('parks it under the top-up that it names', async () => {
    const topup = await requestTopup(world, market);
    await sendPayment(world, messageAbout(topup, 'payin.succeeded', { currency: 'EUR' }));
    expect(await actionsOf(world, topup.id)).toContain('WEBHOOK_PARKED');
  });
});

describe('crashing a process', () => {
  it('between storing and applying leaves the event to the next one', async () => {
    const topup = await requestTopup(world, market);
    const { eventId, eventType: type, ...rest } = messageAbout(topup, 'payin.succeeded');
    const body = JSON.stringify({ eventId, eventType: type, ...rest });
    const event = { provider: 'payment-provider', eventId, type, body } as const;
    await storeEvent(world.app, { ...event, requestId: randomUUID() });
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
    await world.runInbox();
    expect(await availableOf(world, market, topup.userId)).toBe('50.00');
    expect((await sendPayment(world, body)).json).toEqual(AGAIN);
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD']);
  });
});

it('accepts the webhooks of the sandbox, in both of its forms', async () => {
  for (const form of ['normalised', 'vendor'] as const) {
    await world.takeWebhooks(form);
    const topup = await requestTopup(world, market);
    await pressPay(world, topup.id);
    await until(async () => (await availableOf(world, market, topup.userId)) === '50.00');
    // Credited by the record, which is there when the webhook comes, and so with its fee.
    expect(await postingsOf(world, topup.id)).toEqual(['topup 5000 USD', 'topup_fee 60 USD']);
    expect(await world.rows('select from lien where subject_id = $1', [topup.id])).toEqual([]);
  }
});
