import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getOrder } from '../orders/get-order.ts';
import {
  auditBooks,
  balanceOf,
  dealIn,
  type EscrowedDeal,
  lookAt,
  stones,
} from '../testing/escrows.ts';
import { imprint } from '../testing/orders.ts';
import {
  inboxRow,
  type Notice,
  noticeOf,
  openWebhookWorld,
  sendSigned,
  sendWith,
  settleWebhooks,
  signatureOf,
  type WebhookWorld,
} from '../testing/webhooks.ts';
import { type Market, openWorld } from '../testing/world.ts';

let world: WebhookWorld;
let market: Market;
beforeAll(async () => {
  world = await openWebhookWorld();
  market = await world.market();
});
afterAll(async () => {
  await world.engine.runWorker();
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});
beforeEach(() => world.sandbox.clearFaults());

const DONE = { status: 'ok', processed: true };
const MADE_UP = { transaction_hash: 'ab'.repeat(32) };

const noticeOn = (deal: Pick<EscrowedDeal, 'id'>, type: string, fields = {}) =>
  noticeOf(world, market, deal, type, fields);
const rowOf = ({ event_id }: Notice) => inboxRow(world, event_id);
const countRows = async () => (await world.rows('select from inbox')).length;
const completed = async (deal: EscrowedDeal) =>
  (await getOrder(world.app, market.call, deal.id)).milestones.map(({ status }) => status);
/** The sandbox's own notices of what was done so far are in. */
const settle = () => settleWebhooks(world);

describe('a signed notice', () => {
  it('is stored, acknowledged outside the envelope and applied at once', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(2) });
    const sent = await noticeOn(deal, 'escrow.milestone_completed', { milestone_ref: 'm1' });
    const answer = await sendSigned(world, sent);
    expect([answer.status, answer.json]).toEqual([200, DONE]);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(await rowOf(sent)).toMatchObject({
      status: 'APPLIED',
      attempts: 1,
      resource_id: deal.id,
    });
    expect(await completed(deal)).toEqual(['COMPLETED', 'OPEN']);
    const [audited] = await world.rows(
      `select actor_type, actor_id, correlation_id from audit
       where action = 'MILESTONE_COMPLETED' and resource_id = $1`,
      [deal.id],
    );
    expect(audited).toEqual({
      actor_type: 'PROVIDER',
      actor_id: 'escrow-provider',
      correlation_id: answer.headers['x-request-id'],
    });
  });

  it('is kept to the byte, and read whatever more it says', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const sent = await noticeOn(deal, 'escrow.funded', { note: 'x'.repeat(100_000), ü: { a: [] } });
    const body = JSON.stringify(sent, null, 2);
    expect((await sendSigned(world, body)).json).toEqual(DONE);
    const [kept] = await world.rows('select body from inbox where provider_event_id = $1', [
      sent.event_id,
    ]);
    expect(kept).toEqual({ body });
    expect(await rowOf(sent)).toMatchObject({ status: 'SUPERSEDED' });
  });

  it('is applied once, of twenty at once and of repeats', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(2) });
    const sent = await noticeOn(deal, 'escrow.milestone_completed', { milestone_ref: 'm2' });
    const send = () => sendSigned(world, sent);
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    for (const { status, json } of [...answers, await send()])
      expect([status, json]).toEqual([200, DONE]);
    expect(await completed(deal)).toEqual(['OPEN', 'COMPLETED']);
    const told = `select from outbox where event_type = 'escrow.milestone_completed'
      and payload ->> 'orderId' = $1`;
    expect(await world.rows(told, [deal.id])).toHaveLength(1);
    expect(await rowOf(sent)).toMatchObject({ status: 'APPLIED', contradictions: 0 });
  });

  it('with the id of another says nothing: the first one counts', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(2) });
    const fields = { milestone_ref: 'm1' };
    const first = await noticeOn(deal, 'escrow.milestone_completed', fields);
    await sendSigned(world, first);
    const second = { ...first, data: { ...first.data, milestone_ref: 'm2' } };
    expect((await sendSigned(world, second)).json).toEqual(DONE);
    expect(await completed(deal)).toEqual(['COMPLETED', 'OPEN']);
    expect(await rowOf(first)).toMatchObject({ status: 'APPLIED', contradictions: 1 });
  });

  it('that can not be read is kept and parked; one that names no event is refused', async () => {
    const odd = { type: 'escrow.exploded', event_id: randomUUID(), data: {} };
    expect((await sendSigned(world, odd)).json).toEqual(DONE);
    expect(await rowOf(odd)).toMatchObject({ status: 'PARKED', marketplace_id: null });
    const before = await countRows();
    for (const body of ['{', '[]', '"x"', '{"type":"escrow.funded"}', '{"type":"a","event_id":""}'])
      expect((await sendSigned(world, body)).json.error.code, body).toBe('VALIDATION_ERROR');
    expect(await countRows()).toBe(before);
  });
});

describe('what a signed notice claims and the network does not show', () => {
  it.each([
    ['escrow.released', 'IN_PROGRESS', {}],
    ['escrow.released', 'IN_PROGRESS', MADE_UP],
    ['escrow.refunded', 'IN_PROGRESS', {}],
    ['escrow.refunded', 'IN_PROGRESS', MADE_UP],
    ['escrow.disputed', 'IN_PROGRESS', {}],
    ['escrow.funded', 'ESCROW_FUNDING', {}],
    ['escrow.funded', 'ESCROW_FUNDING', MADE_UP],
    ['escrow.milestone_completed', 'IN_PROGRESS', { milestone_ref: 'm1', ...MADE_UP }],
  ] as const)('%s of an order that is %s changes nothing (%j)', async (type, state, fields) => {
    const deal = await dealIn(world, market, state, { milestones: stones(1) });
    await settle();
    const sent = await noticeOn(deal, type, fields);
    const before = await imprint(world);
    expect((await sendSigned(world, sent)).json).toEqual(DONE);
    expect(await imprint(world)).toEqual(before);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', last_error: expect.any(String) });
    for (let round = 0; round < 10; round += 1) await world.runInbox();
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', attempts: 10 });
    expect(await balanceOf(world, market, deal.sellerId)).toBe('0.00 0.00');
    expect(
      await world.rows(
        `select result from audit where action = 'WEBHOOK_PARKED' and resource_id = $1`,
        [deal.id],
      ),
    ).toEqual([{ result: 'FAILURE' }]);
  });

  it.each(['100', '100.00', '1', '10000000000', '-1', '1e9', ''])(
    'of an amount of %j is parked at once',
    async (amount) => {
      const deal = await dealIn(world, market, 'ESCROW_FUNDING');
      const sent = await noticeOn(deal, 'escrow.funded', { amount });
      await sendSigned(world, sent);
      expect(await rowOf(sent)).toMatchObject({ status: 'PARKED' });
      expect(await balanceOf(world, market, deal.buyerId)).toBe('0.00 100.00');
    },
  );

  it.each([
    ['currency', 'XLM'],
    ['buyer_address', `G${'A'.repeat(55)}`],
    ['seller_address', `G${'B'.repeat(55)}`],
    ['transaction_hash', 'none'],
  ])('of another %s is parked at once', async (name, value) => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    const sent = await noticeOn(deal, 'escrow.funded', { [name]: value });
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED' });
  });

  it('about a contract that we did not deploy never makes it ours', async () => {
    const victim = await dealIn(world, market, 'FUNDS_RESERVED');
    const other = await dealIn(world, market, 'ESCROW_FUNDING');
    const contract = { contract_id: `C${'A'.repeat(55)}` };
    const forged = [
      await noticeOn(victim, 'escrow.created', contract),
      await noticeOn(other, 'escrow.created', contract),
      await noticeOn(other, 'escrow.funded', contract),
    ];
    for (const each of forged) {
      await sendSigned(world, each);
      expect(await rowOf(each)).toMatchObject({ status: 'PARKED' });
    }
    expect(await lookAt(world, market, victim)).toMatchObject({ status: 'FUNDS_RESERVED' });
  });

  it('about an order of another marketplace touches neither, and tells neither', async () => {
    const stranger = await world.market();
    const ours = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(1) });
    const theirs = await dealIn(world, stranger, 'IN_PROGRESS', { milestones: stones(1) });
    await settle();
    const fields = { order_id: theirs.id, milestone_ref: 'm1' };
    const sent = await noticeOn(ours, 'escrow.milestone_completed', fields);
    await sendSigned(world, sent);
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', resource_id: ours.id });
    expect(await completed(ours)).toEqual(['OPEN']);
    expect((await getOrder(world.app, stranger.call, theirs.id)).milestones).toMatchObject([
      { status: 'OPEN' },
    ]);
    expect(
      await world.rows(
        'select from audit where before::text || after::text like $1 and action = $2',
        [`%${theirs.id}%`, 'WEBHOOK_PARKED'],
      ),
    ).toEqual([]);
  });

  it('about nothing that we know waits, and is parked in the end', async () => {
    const fields = { contract_id: 'CNONE', order_id: 'ord_none' };
    const sent = { type: 'escrow.funded', event_id: randomUUID(), data: fields };
    expect((await sendSigned(world, sent)).json).toEqual(DONE);
    expect(await rowOf(sent)).toMatchObject({ status: 'PENDING', marketplace_id: null });
    for (let round = 0; round < 10; round += 1) await world.runInbox();
    expect(await rowOf(sent)).toMatchObject({ status: 'PARKED', marketplace_id: null });
  });
});

describe('a wrong signature', () => {
  it('is refused, and nothing is stored', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const body = JSON.stringify(await noticeOn(deal, 'escrow.released'));
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
    // Before anything is read: not even JSON is asked for.
    expect((await sendWith(world, '{', 'a'.repeat(64))).status).toBe(401);
    expect(await countRows()).toBe(before);
  });

  it('is any, where no secret is set', async () => {
    const bare = await openWorld();
    try {
      const body = JSON.stringify({ type: 'escrow.funded', event_id: 'e', data: {} });
      expect((await sendWith(bare, body, signatureOf(body, ''))).status).toBe(401);
    } finally {
      await bare.close();
    }
  });
});

describe('the limits', () => {
  it('are by address for what proves nothing, and none for what is signed', async () => {
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

  it('allow 256 KB', async () => {
    const of = (length: number) => {
      const bare = JSON.stringify({ type: 'x', event_id: randomUUID(), data: { note: '' } });
      return bare.replace('"note":""', `"note":"${'x'.repeat(length - bare.length)}"`);
    };
    expect((await sendSigned(world, of(262_144))).status).toBe(200);
    const { status, json } = await sendSigned(world, of(262_145));
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
