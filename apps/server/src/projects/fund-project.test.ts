import { refuse } from '@holdfast/contract/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { watchFailpoints } from '../platform/failpoint.ts';
import { auditBooks, balanceOf, effectsOf } from '../testing/escrows.ts';
import { type MemberWorld, openMemberWorld, type Person } from '../testing/members.ts';
import { freezeUser } from '../users/freeze-user.ts';
import { unfreezeUser } from '../users/unfreeze-user.ts';

let world: MemberWorld;
let seller: Person;
beforeAll(async () => {
  world = await openMemberWorld();
  seller = await world.person();
});
afterAll(async () => {
  expect(await world.engine.runWorker()).toBe(0);
  expect(await auditBooks(world)).toEqual([]);
  await world.close();
});
beforeEach(() => world.sandbox.clearFaults());

const init = (buyer: Person, project: string, { id } = seller) =>
  buyer.post('/escrow/init', { project_id: project, seller_id: id, amount: 100, currency: 'USD' });

async function checkout(buyer: Person) {
  const project = await buyer.project();
  return { project, answer: await init(buyer, project) };
}

async function look(buyer: Person, project: string) {
  const { projects } = (await buyer.get('/projects')).json.data;
  const { status, escrow_id } = projects.find(({ id }: { id: string }) => id === project);
  expect(escrow_id === null, 'what is open has no escrow').toBe(status === 'open');
  return [status, await balanceOf(world, world.house, buyer.id)];
}

async function orderOf(buyer: Person) {
  const list = await world.house.send('GET', `/orders?buyer_id=${buyer.id}`);
  return list.json.data.data[0];
}

describe('a checkout', () => {
  it('and a release are the same order on both surfaces, with its events and audit', async () => {
    const buyer = await world.person('150.00');
    const { project, answer } = await checkout(buyer);
    expect(answer.status, answer.text).toBe(200);
    expect(await look(buyer, project)).toEqual(['in_progress', '50.00 0.00']);
    const order = await orderOf(buyer);
    const escrow = answer.json.data;
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
    expect(await look(buyer, project)).toEqual(['completed', '50.00 0.00']);
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
    const deeds = await world.rows<{ actor_type: string; actor_id: string }>(
      `select actor_type, actor_id from audit where resource_id = $1 and action = any ($2)`,
      [order.id, ['ORDER_CREATED', 'ORDER_FUNDS_RESERVED', 'RELEASE_REQUESTED']],
    );
    expect(deeds).toEqual(Array(3).fill({ actor_type: 'MEMBER', actor_id: buyer.id }));
  });

  it.each(['deploy', 'fund'])('whose %s is refused leaves money and project free', async (step) => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', step, 'reject');
    const { project, answer } = await checkout(buyer);
    expect(answer.status).toBe(step === 'fund' ? 400 : 500);
    expect(await look(buyer, project)).toEqual(['open', '100.00 0.00']);
    expect(await orderOf(buyer)).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    expect((await init(buyer, project)).status).toBe(200);
  });

  it.each(['deploy', 'fund'])('whose %s is not known goes on by itself, once', async (step) => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', step, 'drop-after');
    const { project, answer } = await checkout(buyer);
    expect(answer.status, answer.text).toBe(504);
    expect((await look(buyer, project))[0]).toBe('in_progress');
    expect(await world.engine.runWorker()).toBe(0);
    expect(await look(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
    const order = await orderOf(buyer);
    expect(order.status).toBe('IN_PROGRESS');
    expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
  });

  it('whose answer is lost ends, though the buyer was quick to release', async () => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'fund', 'drop-after');
    const { project, answer } = await checkout(buyer);
    expect(answer.status).toBe(504);
    // The funding is found out about, and its checkout is not driven yet.
    const [funding] = await world.rows(
      `select o.marketplace_id as marketplace, o.* from operation o
       where kind = 'fund-escrow' and status = 'RUNNING'`,
    );
    await world.engine.submit(funding as never);
    const { escrow } = await orderOf(buyer);
    const released = await buyer.post('/escrow/release', { escrow_id: escrow.id });
    expect(released.status, released.text).toBe(200);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await look(buyer, project)).toEqual(['completed', '0.00 0.00']);
  });

  it('waits for a contract whose id nobody told', async () => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id', 3);
    const { answer } = await checkout(buyer);
    expect(answer.status).toBe(504);
    expect(await world.engine.runWorker()).toBe(0);
    expect((await orderOf(buyer)).status).toBe('IN_PROGRESS');
  });

  it('goes on with a deployment that met a database that was away', async () => {
    const buyer = await world.person('100.00');
    watchFailpoints((passed) => {
      if (passed === 'create-escrow:deploy:before-claim') refuse('SERVICE_UNAVAILABLE', {});
    });
    const { project, answer } = await checkout(buyer).finally(() => watchFailpoints(undefined));
    expect(answer.status).toBe(504);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await look(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
    expect((await orderOf(buyer)).status).toBe('IN_PROGRESS');
  });

  it('without the money is 400 and leaves nothing behind', async () => {
    const buyer = await world.person('99.99');
    const { project, answer } = await checkout(buyer);
    expect(answer.status).toBe(400);
    expect(await look(buyer, project)).toEqual(['open', '99.99 0.00']);
    expect(await orderOf(buyer)).toBeUndefined();
  });
});

describe('a checkout that others come between', () => {
  /** Leaves its operation open, and what others do before it is driven again is up to the test. */
  async function diesAt(place: string, buyer: Person, from = seller): Promise<string> {
    const project = await buyer.project();
    watchFailpoints((passed) => {
      if (passed === `checkout-project:${place}`) throw new Error('the worker died');
    });
    const { status } = await init(buyer, project, from).finally(() => watchFailpoints(undefined));
    expect(status).toBeGreaterThanOrEqual(500);
    return project;
  }

  const onOrder = async (buyer: Person, deed: string) => {
    const { id } = await orderOf(buyer);
    const answer = await world.house.send('POST', `/orders/${id}/${deed}`, { body: {} });
    expect(answer.status, answer.text).toBe(201);
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
    const project = await diesAt('begin:after-tx', buyer, people.seller);
    const { app, house } = world;
    await freezeUser(app, house.call, frozen.id, { reason: 'a stolen card' });
    expect(await endOf(project)).toEqual(['REFUSED', 'INTERNAL_ERROR']);
    expect(await orderOf(buyer)).toMatchObject({ status: 'CLOSED', closeReason: 'CANCELED' });
    expect(await balanceOf(world, house, buyer.id)).toBe('100.00 0.00');
    expect((await init(buyer, project, people.seller)).status).toBe(422);
    await unfreezeUser(app, house.call, frozen.id, { reason: 'it was not stolen' });
    expect(await look(buyer, project)).toEqual(['open', '100.00 0.00']);
    expect((await init(buyer, project, people.seller)).status).toBe(200);
  });

  it.each([
    ['before anything', 'begin:after-tx'],
    ['before the deployment', 'request-escrow:before-tx'],
    ['after a refused deployment', 'follow-deployment:before-mark'],
    ['when it was about to do so itself', 'undo:before-tx'],
  ])('ends when the order is cancelled %s', async (_, place) => {
    const buyer = await world.person('100.00');
    await world.sandbox.arm('escrow', 'deploy', 'reject');
    const project = await diesAt(place, buyer);
    await onOrder(buyer, 'cancel');
    expect(await look(buyer, project)).toEqual(['open', '100.00 0.00']);
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    await world.sandbox.clearFaults();
    expect((await init(buyer, project)).status).toBe(200);
    expect(await look(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
  });

  it('ends when the order is cancelled while wallets are still waited for', async () => {
    const buyer = await world.person('100.00');
    const { network } = world.custody;
    // Without a network nobody's wallet is told: at once, where a late one would take its time.
    Object.assign(world.custody, { network: undefined });
    onTestFinished(() => void Object.assign(world.custody, { network }));
    const { project, answer } = await checkout(buyer);
    expect(answer.status).toBe(504);
    await onOrder(buyer, 'cancel');
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    Object.assign(world.custody, { network });
    expect((await init(buyer, project)).status).toBe(200);
  });

  it('leaves the order to Surface A, where that has funded it', async () => {
    const buyer = await world.person('100.00');
    const project = await diesAt('request-funding:before-tx', buyer);
    await onOrder(buyer, 'escrow/fund');
    expect(await endOf(project)).toEqual(['REFUSED', 'INVALID_STATE']);
    expect(await look(buyer, project)).toEqual(['in_progress', '0.00 0.00']);
    const { escrow } = await orderOf(buyer);
    expect((await buyer.post('/escrow/release', { escrow_id: escrow.id })).status).toBe(200);
    expect(await look(buyer, project)).toEqual(['completed', '0.00 0.00']);
  });
});
