import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fundEscrow } from '../orders/fund-escrow.ts';
import {
  auditBooks,
  balanceOf,
  dealIn,
  type EscrowedDeal,
  lookAt,
  refusalOf,
  stones,
} from '../testing/escrows.ts';
import { imprint } from '../testing/orders.ts';
import { postponeAll } from '../testing/put-off.ts';
import { until } from '../testing/until.ts';
import {
  inboxRow,
  noticeOf,
  openWebhookWorld,
  sendSigned,
  sendUnsigned,
  settleWebhooks,
  type WebhookWorld,
} from '../testing/webhooks.ts';
import type { Market } from '../testing/world.ts';

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
const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const MADE_UP = { transaction_hash: 'ab'.repeat(32) };
/** Longer than a look takes. */
const MOMENT_MS = 300;

const noticeOn = (deal: Pick<EscrowedDeal, 'id'>, type: string, fields = {}) =>
  noticeOf(world, market, deal, type, fields);
const countRows = async () => (await world.rows('select from inbox')).length;
const settle = () => settleWebhooks(world);

describe('an unsigned notice', () => {
  it.each([
    ['escrow.released', {}],
    ['escrow.released', MADE_UP],
    ['escrow.milestone_completed', { milestone_ref: 'm1' }],
    ['escrow.disputed', {}],
  ])('%s that did not happen changes nothing and is not stored', async (type, fields) => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(1) });
    await settle();
    const before = [await imprint(world), await countRows()];
    expect((await sendUnsigned(world, await noticeOn(deal, type, fields))).json).toEqual(DONE);
    await sleep(MOMENT_MS);
    expect([await imprint(world), await countRows()]).toEqual(before);
  });

  it('claims no event id: the signed one that follows is the first', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(1) });
    const sent = await noticeOn(deal, 'escrow.milestone_completed', { milestone_ref: 'm1' });
    await sendUnsigned(world, sent);
    await sendSigned(world, sent);
    expect(await inboxRow(world, sent.event_id)).toMatchObject({ status: 'APPLIED' });
  });

  it('makes us look once in half a minute, and what the network shows is written down', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    expect((await refusalOf(fundEscrow(world.app, market.call, deal.id))).code).toBe(
      'PROVIDER_TIMEOUT',
    );
    // Once it is due, for ten seconds an operation counts as driven, and a hint is looked at once.
    await postponeAll(world);
    // It lies about everything but the contract.
    const told = { order_id: 'ord_other', amount: '1', transaction_hash: 'nonsense' };
    const hint = await noticeOn(deal, 'escrow.released', told);
    await sendUnsigned(world, hint);
    await until(async () => (await lookAt(world, market, deal)).status === 'IN_PROGRESS');
    expect(await lookAt(world, market, deal)).toEqual(FUNDED);
    expect(await balanceOf(world, market, deal.buyerId)).toBe('0.00 0.00');
  });

  it('about a contract that was just looked at is not followed', async () => {
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    await sendUnsigned(world, await noticeOn(deal, 'escrow.funded'));
    await sleep(MOMENT_MS);
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    await refusalOf(fundEscrow(world.app, market.call, deal.id));
    await sendUnsigned(world, await noticeOn(deal, 'escrow.funded'));
    await sleep(MOMENT_MS);
    expect(await lookAt(world, market, deal)).toMatchObject({ escrow: 'FUNDING' });
    await world.engine.runWorker();
    expect(await lookAt(world, market, deal)).toEqual(FUNDED);
  });

  it('about a contract that is not ours is ignored, and nobody learns so', async () => {
    const data = { contract_id: `C${'A'.repeat(55)}` };
    const sent = { type: 'escrow.funded', event_id: randomUUID(), data };
    const { status, json } = await sendUnsigned(world, sent);
    expect([status, json]).toEqual([200, DONE]);
    expect(await inboxRow(world, sent.event_id)).toBeUndefined();
  });
});
