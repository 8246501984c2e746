import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { postponeAll } from '../../testing/due.ts';
import {
  balanceOf,
  type EscrowedOrder,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
  statesOf,
} from '../../testing/escrows.ts';
import { snapshotDatabase } from '../../testing/orders.ts';
import { until } from '../../testing/until.ts';
import {
  inboxRow,
  notificationOf,
  sendSigned,
  sendUnsigned,
  settleWebhooks,
  useWebhookWorld,
} from '../../testing/webhooks.ts';

const { world, market } = useWebhookWorld();
afterAll(() => world.engine.runWorker());

const DONE = { status: 'ok', processed: true };
const FUNDED = { status: 'IN_PROGRESS', closeReason: null, escrow: 'FUNDED' };
const FABRICATED = { transaction_hash: 'ab'.repeat(32) };
/** Longer than a check takes. */
const MOMENT_MS = 300;

const eventOn = (order: Pick<EscrowedOrder, 'id'>, type: string, fields = {}) =>
  notificationOf(world, market, order, type, fields);
const countRows = async () => (await world.rows('select from inbox')).length;
const settle = () => settleWebhooks(world);

describe('receiving an unsigned notification', () => {
  it.each([
    ['escrow.released', {}],
    ['escrow.released', FABRICATED],
    ['escrow.milestone_completed', { milestone_ref: 'm1' }],
    ['escrow.disputed', {}],
  ])('changes nothing and stores nothing for %s that did not happen', async (type, fields) => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(1),
    });
    await settle();
    const before = [await snapshotDatabase(world), await countRows()];
    expect((await sendUnsigned(world, await eventOn(order, type, fields))).json).toEqual(DONE);
    await sleep(MOMENT_MS);
    expect([await snapshotDatabase(world), await countRows()]).toEqual(before);
  });

  it('claims no event id: the signed one that follows is the first', async () => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(1),
    });
    const sent = await eventOn(order, 'escrow.milestone_completed', { milestone_ref: 'm1' });
    await sendUnsigned(world, sent);
    await sendSigned(world, sent);
    expect(await inboxRow(world, sent.event_id)).toMatchObject({ status: 'APPLIED' });
  });

  it('checks the network once in half a minute and records what it shows', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    expect((await refusalOf(fundEscrow(world.app, market.call, order.id))).code).toBe(
      'PROVIDER_TIMEOUT',
    );
    // Postponed: a due operation counts as running for ten seconds, and a hint is checked only
    // once.
    await postponeAll(world);
    // Only the contract in it is true.
    const claims = { order_id: 'ord_other', amount: '1', transaction_hash: 'nonsense' };
    const hint = await eventOn(order, 'escrow.released', claims);
    await sendUnsigned(world, hint);
    await until(async () => (await statesOf(world, market, order)).status === 'IN_PROGRESS');
    expect(await statesOf(world, market, order)).toEqual(FUNDED);
    expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 0.00');
  });

  it('checks no contract that was just checked', async () => {
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await sendUnsigned(world, await eventOn(order, 'escrow.funded'));
    await sleep(MOMENT_MS);
    await world.sandbox.arm('escrow', 'webhook', 'drop-webhook');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    await refusalOf(fundEscrow(world.app, market.call, order.id));
    await sendUnsigned(world, await eventOn(order, 'escrow.funded'));
    await sleep(MOMENT_MS);
    expect(await statesOf(world, market, order)).toMatchObject({ escrow: 'FUNDING' });
    await world.engine.runWorker();
    expect(await statesOf(world, market, order)).toEqual(FUNDED);
  });

  it('ignores a contract that is not ours, with the same response', async () => {
    const data = { contract_id: `C${'A'.repeat(55)}` };
    const sent = { type: 'escrow.funded', event_id: randomUUID(), data };
    const { status, json } = await sendUnsigned(world, sent);
    expect([status, json]).toEqual([200, DONE]);
    expect(await inboxRow(world, sent.event_id)).toBeUndefined();
  });
});
