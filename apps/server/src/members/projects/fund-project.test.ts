import { refuse } from '@holdfast/contract/errors';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { freezeUser } from '../../accounts/users/freeze-user.ts';
import { unfreezeUser } from '../../accounts/users/unfreeze-user.ts';
import { watchFailpoints } from '../../platform/process/failpoint.ts';
import { balanceOf, effectsOf, useAuditedBooks, useNoFaults } from '../../testing/escrows.ts';
import { openMemberWorld, type Person } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openMemberWorld);
const seller = useOpened(() => world.person());
useNoFaults(world);
useAuditedBooks(world);
afterAll(async () => expect(await world.engine.runWorker()).toBe(0));

const init = (buyer: Person, project: string, { id } = seller) =>
  buyer.post('/escrow/init', { project_id: project, seller_id: id, amount: 100, currency: 'USD' });

async function checkout(buyer: Person) {
  const project = await buyer.project();
  return { project, response: await init(buyer, project) };
}

async function stateOf(buyer: Person, project: string) {
  const { projects } = (await buyer.get('/projects')).json.data;
  const { status, escrow_id } = projects.find(({ id }: { id: string }) => id === project);
  expect(escrow_id === null, 'an open project has no escrow').toBe(status === 'open');
  return [status, await balanceOf(world, world.house, buyer.id)];
}

async function orderOf(buyer: Person) {
  const list = await world.house.send('GET', `/orders?buyer_id=${buyer.id}`);
  return list.json.data.data[0];
}

describe('fund project', () => {
  it('shows one order on both surfaces until its release, with events and audit', async () => {
    const buyer = await world.person('150.00');
    const { project, response } = await checkout(buyer);
    expect(response.status, response.text).toBe(200);
    expect(await stateOf(buyer, project)).toEqual(['in_progress', '50.00 0.00']);
    const order = await orderOf(buyer);
    const escrow = response.json.data;
    expect(order).toMatchObject({
      status: 'IN_PROGRESS',
      buyerId: escrow.buyer_id,
      sellerId: escrow.seller_id,
      amount: escrow.amount.toFixed(2),
      currency: escrow.currency,
      metadata: { projectId: escrow.project_id },
      escrow: { id: escrow.escrow_id, status: 'FUNDED', createdAt: escrow.created_at },
    });
    const released = await buyer.post('/escrow/release', { escrow_id: escrow.escrow_id });
    expect(released.status, released.text).toBe(200);
    const closed = await orderOf(buyer);
    expect(released.json.data).toEqual({
      escrow_id: escrow.escrow_id,
      status: 'released',
      released_amount: 95,
      released_at: closed.escrow.releasedAt,
    });
    expect(closed).toMatchObject({ status: 'CLOSED', closeReason: 'RELEASED', fee: '5.00' });
    expect(await stateOf(buyer, project)).toEqual(['completed', '50.00 0.00']);
    await world.sequence();
    const events = await world.rows<{ event_type: string }>(
      `select event_type from event where aggregate_id = $1 order by position`,
      [order.id],
    );
    expect(events.map(({ event_type: type }) => type)).toEqual([
      'order.created',
      'order.funds_reserved',
      'order.escrow_creating',
      'order.escrow_funding',
      'order.escrow_funded',
      'order.in_progress',
      'order.release_requested',
      'order.released',
      'order.closed',
    ]);
    const audited = await world.rows<{ actor_type: string; actor_id: string }>(
      `select actor_type, actor_id from audit where resource_id = $1 and action = any ($2)`,
      [order.id, ['ORDER_CREATED', 'ORDER_FUNDS_RESERVED', 'RELEASE_REQUESTED']],
    );
    expect(audited).toEqual(Array(3).fill({ actor_type: 'MEMBER', actor_id: buyer.id }));
  });

  it.each(['deploy', 'fund'])(
    'leaves money and project free when the %s is refused',
    async (step) => {
      const buyer = await world.person('100.00');
      await world.sandbox.arm('escrow', step, 'reject');
      const { project, response } = await checkout(buyer);
      expect(response.status).toBe(step === 'fund' ? 400 : 500);
      expect(await stateOf(buyer, project)).toEqual(['open', '100.00 0.00']);
      expect(await orderOf(buyer)).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
      expect((await init(buyer, project)).status).toBe(200);
    },
  );

  it.each(['deploy', 'fund'])(
    'resumes by itself, once, when the outcome of the %s is unknown',
    async (step) => {
      const buyer = await world.person('100.00');
      await world.sandbox.arm('escrow', step, 'drop-after');
      const { project, response } = await checkout(buyer);
      expect(response.status, response.text).toBe(504);
      expect((await stateOf(buyer, project))[0]).toBe('in_progress');
      expect(await world.engine.runWorker()).toBe(0);
      expect(await stateOf(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
      const order = await orderOf(buyer);
      expect(order.status).toBe('IN_PROGRESS');
      expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
    },
  );

  it('ends when a reply is lost and the buyer releases early', async () => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    const { project, response } = await checkout(buyer);
    expect(response.status).toBe(504);
    // The funding outcome is known by now, and the checkout has not been executed since.
    const [funding] = await world.rows(
      `select o.marketplace_id as marketplace, o.* from operation o
       where kind = 'fund-escrow' and status = 'RUNNING'`,
    );
    await world.engine.submit(funding as never);
    const { escrow } = await orderOf(buyer);
    const released = await buyer.post('/escrow/release', { escrow_id: escrow.id });
    expect(released.status, released.text).toBe(200);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await stateOf(buyer, project)).toEqual(['completed', '0.00 0.00']);
  });

  it('waits for a contract whose id was missing in the reply', async () => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id', 3);
    const { response } = await checkout(buyer);
    expect(response.status).toBe(504);
    expect(await world.engine.runWorker()).toBe(0);
    expect((await orderOf(buyer)).status).toBe('IN_PROGRESS');
  });

  it('resumes a deployment after the database was unavailable', async () => {
    const buyer = await world.person('100.00');
    watchFailpoints((passed) => {
      if (passed === 'create-escrow:deploy:before-claim') refuse('SERVICE_UNAVAILABLE', {});
    });
    const { project, response } = await checkout(buyer).finally(() => watchFailpoints(undefined));
    expect(response.status).toBe(504);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await stateOf(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
    expect((await orderOf(buyer)).status).toBe('IN_PROGRESS');
  });

  it('returns 400 without the money and leaves nothing behind', async () => {
    const buyer = await world.person('99.99');
    const { project, response } = await checkout(buyer);
    expect(response.status).toBe(400);
    expect(await stateOf(buyer, project)).toEqual(['open', '99.99 0.00']);
    expect(await orderOf(buyer)).toBeUndefined();
  });
});

describe('fund project, with other calls in between', () => {
  /** Leaves the operation open. The test decides what other callers do before the next attempt. */
  async function crashAt(crashPoint: string, buyer: Person, from = seller): Promise<string> {
    const project = await buyer.project();
    watchFailpoints((passed) => {
      if (passed === `checkout-project:${crashPoint}`) throw new Error('the worker died');
    });
    const { status } = await init(buyer, project, from).finally(() => watchFailpoints(undefined));
    expect(status).toBeGreaterThanOrEqual(500);
    return project;
  }

  const onOrder = async (buyer: Person, action: string) => {
    const { id } = await orderOf(buyer);
    const response = await world.house.send('POST', `/orders/${id}/${action}`, { body: {} });
    expect(response.status, response.text).toBe(201);
  };

  async function endOf(project: string) {
    expect(await world.engine.runWorker()).toBe(0);
    const [ended] = await world.rows<{ status: string; refusal_code: string }>(
      'select status, refusal_code from operation where resource_id = $1',
      [project],
    );
    return [ended?.status, ended?.refusal_code];
  }

  it.each(['buyer', 'seller'])('gives the order up when the %s is frozen', async (who) => {
    const people = { buyer: await world.person('100.00'), seller: await world.person() };
    const { buyer } = people;
    const frozen = people[who as keyof typeof people];
    const project = await crashAt('start:after-tx', buyer, people.seller);
    const { app, house } = world;
    await freezeUser(app, house.call, frozen.id, { reason: 'a stolen card' });
    expect(await endOf(project)).toEqual(['REFUSED', 'INTERNAL_ERROR']);
    expect(await orderOf(buyer)).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    expect(await balanceOf(world, house, buyer.id)).toBe('100.00 0.00');
    const { status } = await init(buyer, project, people.seller);
    expect(status).toBe(who === 'buyer' ? 401 : 422);
    await unfreezeUser(app, house.call, frozen.id, { reason: 'it was not stolen' });
    const again = await buyer.loggedIn();
    expect(await stateOf(again, project)).toEqual(['open', '100.00 0.00']);
    expect((await init(again, project, people.seller)).status).toBe(200);
  });

  it.each([
    ['before anything', 'start:after-tx'],
    ['before the deployment', 'request-escrow:before-tx'],
    ['after a refused deployment', 'follow-deployment:before-mark'],
    ['when it was about to do so itself', 'undo:before-tx'],
  ])('ends when the order is canceled %s', async (_, crashPoint) => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'deploy', 'reject');
    const project = await crashAt(crashPoint, buyer);
    await onOrder(buyer, 'cancel');
    expect(await stateOf(buyer, project)).toEqual(['open', '100.00 0.00']);
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    await world.sandbox.clearFaults();
    expect((await init(buyer, project)).status).toBe(200);
    expect(await stateOf(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
  });

  it('ends when the order is canceled while it waits for wallets', async () => {
    const buyer = await world.person('100.00');
    const { network } = world.custody;
    // Without a network, reading a wallet fails at once; with a slow one it would wait.
    Object.assign(world.custody, { network: undefined });
    onTestFinished(() => void Object.assign(world.custody, { network }));
    const { project, response } = await checkout(buyer);
    expect(response.status).toBe(504);
    await onOrder(buyer, 'cancel');
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    Object.assign(world.custody, { network });
    expect((await init(buyer, project)).status).toBe(200);
  });

  it('leaves the order to Surface A when that has funded it', async () => {
    const buyer = await world.person('100.00');
    const project = await crashAt('request-funding:before-tx', buyer);
    await onOrder(buyer, 'escrow/fund');
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    expect(await stateOf(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
    const { escrow } = await orderOf(buyer);
    expect((await buyer.post('/escrow/release', { escrow_id: escrow.id })).status).toBe(200);
    expect(await stateOf(buyer, project)).toEqual(['completed', '0.00 0.00']);
  });
});
