import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { getOrder } from '../../orders/order/read-orders.ts';
import {
  balanceOf,
  type EscrowedOrder,
  escrowOrderIn,
  milestonesOf,
  statesOf,
} from '../../testing/escrows.ts';
import { snapshotDatabase } from '../../testing/orders.ts';
import {
  type EscrowNotification,
  inboxRow,
  notificationOf,
  sendSigned,
  sendWith,
  settleWebhooks,
  signatureOf,
  useWebhookWorld,
} from '../../testing/webhooks.ts';
import { openWorld } from '../../testing/world.ts';

const { world, market } = useWebhookWorld();
afterAll(() => world.engine.runWorker());

const DONE = { status: 'ok', processed: true };
const FABRICATED = { transaction_hash: 'ab'.repeat(32) };

const eventOn = (order: Pick<EscrowedOrder, 'id'>, type: string, fields = {}) =>
  notificationOf(world, market, order, type, fields);
const rowOf = ({ event_id }: EscrowNotification) => inboxRow(world, event_id);
const countRows = async () => (await world.rows('select from inbox')).length;
const completed = async (order: EscrowedOrder) =>
  (await getOrder(world.app, market.call, order.id)).milestones.map(({ status }) => status);
/** Waits until the sandbox's own notifications so far have arrived. */
const settle = () => settleWebhooks(world);

describe('receiving a signed notification', () => {
  it('stores it, acknowledges it outside the envelope and applies it at once', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(2),
    });
    const sent = await eventOn(order, 'escrow.milestone_completed', { milestone_ref: 'm1' });
    const response = await sendSigned(world, sent);
    expect([response.status, response.json]).toEqual([200, DONE]);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(await rowOf(sent)).toMatchObject({
      status: 'APPLIED',
      attempts: 1,
      resource_id: order.id,
    });
    expect(await completed(order)).toEqual(['COMPLETED', 'OPEN']);
    const [audited] = await world.rows(
      `select actor_type, actor_id, correlation_id from audit
       where action = 'MILESTONE_COMPLETED' and resource_id = $1`,
      [order.id],
    );
    expect(audited).toEqual({
      actor_type: 'PROVIDER',
      actor_id: 'escrow-provider',
      correlation_id: response.headers['x-request-id'],
    });
  });

  it('stores it to the byte, and ignores unknown fields', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const sent = await eventOn(order, 'escrow.funded', { note: 'x'.repeat(100_000), ü: { a: [] } });
    const body = JSON.stringify(sent, null, 2);
    expect((await sendSigned(world, body)).json).toEqual(DONE);
    const [stored] = await world.rows('select body from inbox where provider_event_id = $1', [
      sent.event_id,
    ]);
    expect(stored).toEqual({ body });
    expect(await rowOf(sent)).toMatchObject({ status: 'SUPERSEDED' });
  });

  it('takes a field that is left empty for one that is absent', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(1),
    });
    const empty = { amount: '', currency: '', buyer_address: '', seller_address: '' };
    const sent = await eventOn(order, 'escrow.funded', { ...empty, milestone_ref: '' });
    await sendSigned(world, sent);
    expect((await rowOf(sent))?.status).toBe('SUPERSEDED');
  });

  it('applies it once, of twenty at once and of repeats', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(2),
    });
    const sent = await eventOn(order, 'escrow.milestone_completed', { milestone_ref: 'm2' });
    const send = () => sendSigned(world, sent);
    const responses = await Promise.all(Array.from({ length: 20 }, send));
    for (const { status, json } of [...responses, await send()])
      expect([status, json]).toEqual([200, DONE]);
    expect(await completed(order)).toEqual(['OPEN', 'COMPLETED']);
    const query = `select from outbox where event_type = 'escrow.milestone_completed'
      and payload ->> 'orderId' = $1`;
    expect(await world.rows(query, [order.id])).toHaveLength(1);
    expect(await rowOf(sent)).toMatchObject({ status: 'APPLIED', contradictions: 0 });
  });

  it('keeps the first body when another comes under the same id', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(2),
    });
    const fields = { milestone_ref: 'm1' };
    const first = await eventOn(order, 'escrow.milestone_completed', fields);
    await sendSigned(world, first);
    const second = { ...first, data: { ...first.data, milestone_ref: 'm2' } };
    expect((await sendSigned(world, second)).json).toEqual(DONE);
    expect(await completed(order)).toEqual(['COMPLETED', 'OPEN']);
    expect(await rowOf(first)).toMatchObject({ status: 'APPLIED', contradictions: 1 });
  });

  it('parks one that cannot be parsed, and refuses one without an event id', async () => {
    const odd = { type: 'escrow.exploded', event_id: randomUUID(), data: {} };
    expect((await sendSigned(world, odd)).json).toEqual(DONE);
    expect(await rowOf(odd)).toMatchObject({ status: 'PARKED', marketplace_id: null });
    const before = await countRows();
    for (const body of ['{', '[]', '"x"', '{"type":"escrow.funded"}', '{"type":"a","event_id":""}'])
      expect((await sendSigned(world, body)).json.error.code, body).toBe('VALIDATION_ERROR');
    expect(await countRows()).toBe(before);
  });
});

describe('receiving a signed notification that the network does not confirm', () => {
  it.each([
    ['escrow.released', 'IN_PROGRESS', {}],
    ['escrow.released', 'IN_PROGRESS', FABRICATED],
    ['escrow.refunded', 'IN_PROGRESS', {}],
    ['escrow.refunded', 'IN_PROGRESS', FABRICATED],
    ['escrow.disputed', 'IN_PROGRESS', {}],
    ['escrow.funded', 'ESCROW_FUNDING', {}],
    ['escrow.funded', 'ESCROW_FUNDING', FABRICATED],
    ['escrow.milestone_completed', 'IN_PROGRESS', { milestone_ref: 'm1', ...FABRICATED }],
  ] as const)('%s of an order that is %s changes nothing (%j)', async (type, state, fields) => {
    const order = await escrowOrderIn(world, market, state, { milestones: milestonesOf(1) });
    await settle();
    const sent = await eventOn(order, type, fields);
    const before = await snapshotDatabase(world);
    expect((await sendSigned(world, sent)).json).toEqual(DONE);
    expect(await snapshotDatabase(world)).toEqual(before);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', last_error: expect.any(String) });
    for (let round = 0; round < 10; round += 1) await world.runInbox();
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', attempts: 10 });
    expect(await balanceOf(world, market, order.sellerId)).toBe('0.00 0.00');
    expect(
      await world.rows(
        `select result from audit where action = 'WEBHOOK_PARKED' and resource_id = $1`,
        [order.id],
      ),
    ).toEqual([{ result: 'FAILURE' }]);
  });

  it.each(['100', '100.00', '1', '10000000000', '-1', '1e9'])(
    'parks one with an amount of %j at once',
    async (amount) => {
      const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
      const sent = await eventOn(order, 'escrow.funded', { amount });
      await sendSigned(world, sent);
      expect(await rowOf(sent)).toMatchObject({ status: 'PARKED' });
      expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 100.00');
    },
  );

  it.each([
    ['currency', 'XLM'],
    ['buyer_address', `G${'A'.repeat(55)}`],
    ['seller_address', `G${'B'.repeat(55)}`],
    ['transaction_hash', 'none'],
  ])('parks one with another %s at once', async (name, value) => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    const sent = await eventOn(order, 'escrow.funded', { [name]: value });
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED' });
  });

  it('never adopts a contract that we did not deploy', async () => {
    const victim = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    const other = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    const contract = { contract_id: `C${'A'.repeat(55)}` };
    const forged = [
      await eventOn(victim, 'escrow.created', contract),
      await eventOn(other, 'escrow.created', contract),
      await eventOn(other, 'escrow.funded', contract),
    ];
    for (const each of forged) {
      await sendSigned(world, each);
      expect(await rowOf(each)).toMatchObject({ status: 'PARKED' });
    }
    expect(await statesOf(world, market, victim)).toMatchObject({ status: 'FUNDS_RESERVED' });
  });

  it('changes and reveals nothing when it names an order of another marketplace', async () => {
    const otherMarket = await world.market();
    const ours = await escrowOrderIn(world, market, 'IN_PROGRESS', { milestones: milestonesOf(1) });
    const theirs = await escrowOrderIn(world, otherMarket, 'IN_PROGRESS', {
      milestones: milestonesOf(1),
    });
    await settle();
    const fields = { order_id: theirs.id, milestone_ref: 'm1' };
    const sent = await eventOn(ours, 'escrow.milestone_completed', fields);
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', resource_id: ours.id });
    expect(await completed(ours)).toEqual(['OPEN']);
    expect((await getOrder(world.app, otherMarket.call, theirs.id)).milestones).toMatchObject([
      { status: 'OPEN' },
    ]);
    expect(
      await world.rows(
        'select from audit where before::text || after::text like $1 and action = $2',
        [`%${theirs.id}%`, 'WEBHOOK_PARKED'],
      ),
    ).toEqual([]);
  });

  it('keeps an unknown subject pending, and parks it in the end', async () => {
    const fields = { contract_id: 'CNONE', order_id: 'ord_none' };
    const sent = { type: 'escrow.funded', event_id: randomUUID(), data: fields };
    expect((await sendSigned(world, sent)).json).toEqual(DONE);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', marketplace_id: null });
    for (let round = 0; round < 10; round += 1) await world.runInbox();
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', marketplace_id: null });
  });
});

describe('receiving a wrong signature', () => {
  it('refuses it and stores nothing', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const body = JSON.stringify(await eventOn(order, 'escrow.released'));
    const right = signatureOf(body);
    const wrong = [
      signatureOf(body, 'whsec_another-secret'),
      signatureOf(`${body} `),
      right.toUpperCase(),
      right.slice(1),
      `${right}0`,
      `sha256=${right}`,
      'zz',
      '',
      'a'.repeat(64),
    ];
    await settle();
    const before = await countRows();
    for (const signature of wrong) {
      const { status, json } = await sendWith(world, body, signature);
      expect([status, json.error.code]).toEqual([401, 'WEBHOOK_SIGNATURE_INVALID']);
    }
    // The signature is checked before the body is parsed, so the body need not be JSON.
    expect((await sendWith(world, '{', 'a'.repeat(64))).status).toBe(401);
    expect(await countRows()).toBe(before);
  });

  it('refuses every signature when no secret is set', async () => {
    const bare = await openWorld();
    try {
      const body = JSON.stringify({ type: 'escrow.funded', event_id: 'e', data: {} });
      expect((await sendWith(bare, body, signatureOf(body, ''))).status).toBe(401);
    } finally {
      await bare.close();
    }
  });
});

describe('limiting requests', () => {
  it('counts unverified requests by address, and never signed ones', async () => {
    const env = { HOLDFAST_RATE_LIMIT: '4', ESCROW_WEBHOOK_SECRET: 'whsec_for-tests-only' };
    const small = await openWorld({ env });
    try {
      const body = JSON.stringify({ type: 'escrow.funded', event_id: 'e', data: {} });
      for (let sent = 0; sent < 10; sent += 1)
        expect((await sendSigned(small, body)).status).toBe(200);
      const statuses: number[] = [];
      for (const signature of [undefined, 'zz', undefined, 'zz', undefined, 'zz']) {
        const headers = signature === undefined ? {} : { 'x-escrow-signature': signature };
        const sending = { body, headers };
        const { status } = await small.send('POST', '/webhooks/escrow-provider', sending);
        statuses.push(status);
      }
      expect(statuses).toEqual([200, 401, 200, 401, 429, 429]);
      expect((await sendSigned(small, body)).status).toBe(200);
    } finally {
      await small.close();
    }
  });

  it('accepts bodies of up to 256 KB', async () => {
    const of = (length: number) => {
      const bare = JSON.stringify({ type: 'x', event_id: randomUUID(), data: { note: '' } });
      return bare.replace('"note":""', `"note":"${'x'.repeat(length - bare.length)}"`);
    };
    expect((await sendSigned(world, of(262_144))).status).toBe(200);
    const { status, json } = await sendSigned(world, of(262_145));
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
