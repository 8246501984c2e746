import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditBooks, balanceOf, effectsOf } from '../testing/escrows.ts';
import { type MemberWorld, openMemberWorld, type Person } from '../testing/members.ts';

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

async function checkout(buyer: Person) {
  const project = await buyer.project();
  const body = { project_id: project, seller_id: seller.id, amount: 100, currency: 'USD' };
  return { project, answer: await buyer.post('/escrow/init', body) };
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
    const body = { project_id: project, seller_id: seller.id, amount: 100, currency: 'USD' };
    expect((await buyer.post('/escrow/init', body)).status).toBe(200);
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

  it('without the money is 400 and leaves nothing behind', async () => {
    const buyer = await world.person('99.99');
    const { project, answer } = await checkout(buyer);
    expect(answer.status).toBe(400);
    expect(await look(buyer, project)).toEqual(['open', '99.99 0.00']);
    expect(await orderOf(buyer)).toBeUndefined();
  });
});
