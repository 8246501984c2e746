import { surfaceB } from '@holdfast/contract/surface-b';
import { expect, it } from 'vitest';
import { owe } from '../../testing/debts.ts';
import { balanceOf, effectsOf, useAuditedBooks } from '../../testing/escrows.ts';
import { openMemberWorld } from '../../testing/members.ts';
import { stopCalls } from '../../testing/stops.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openMemberWorld);
useAuditedBooks(world);

it('pays the seller once, and only for the buyer', async () => {
  const [buyer, seller] = [await world.person('100.00'), await world.person()];
  const project_id = await buyer.project();
  const body = { project_id, seller_id: seller.id, amount: 100, currency: 'USD' };
  const { escrow_id } = (await buyer.post('/escrow/init', body)).json.data;
  expect((await seller.post('/escrow/release', { escrow_id })).status).toBe(401);
  const responses = await Promise.all(
    [1, 2, 3].map(() => buyer.post('/escrow/release', { escrow_id })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(2);
  expect(await balanceOf(world, world.house, seller.id)).toBe('95.00 0.00');
  const [order] = (await world.house.send('GET', `/orders?buyer_id=${buyer.id}`)).json.data.data;
  expect(await effectsOf(world, order)).toEqual(['deploy', 'fund', 'status', 'approve', 'release']);
});

it('repays what both owe first, and emits exactly what is declared, as a funding does', async () => {
  const [debtor, seller] = [await world.person('130.00'), await world.person()];
  for (const { id } of [debtor, seller]) await owe(world, world.house, id);
  // A debt freezes its user, which ends all tokens.
  const buyer = await debtor.loggedIn();
  const project_id = await buyer.project();
  const body = { project_id, seller_id: seller.id, amount: 100, currency: 'USD' };
  await world.sandbox.arm('escrow', 'fund', 'reject');
  expect((await buyer.post('/escrow/init', body)).status).toBe(400);
  const { escrow_id } = (await buyer.post('/escrow/init', body)).json.data;
  const funded = await emittedFor(buyer.id);
  expect([...new Set(funded)].sort()).toEqual([...surfaceB.initEscrow.emits].sort());
  expect((await buyer.post('/escrow/release', { escrow_id })).status).toBe(200);
  const released = (await emittedFor(buyer.id)).slice(funded.length);
  expect(released.sort()).toEqual([...surfaceB.releaseEscrow.emits].sort());
  expect(await balanceOf(world, world.house, seller.id)).toBe('65.00 0.00');
});

/** The events of this member's calls, in their order. */
async function emittedFor(member: string): Promise<string[]> {
  await world.sequence();
  const rows = await world.rows<{ event_type: string }>(
    `select event_type from event where correlation_id in
       (select correlation_id from event where actor_id = $1)
     order by position`,
    [member],
  );
  return rows.map(({ event_type: type }) => type);
}

it('is refused while the marketplace is stopped, as is a new escrow', async () => {
  const { stop, lift } = stopCalls(world);
  const [buyer, seller] = [await world.person('200.00'), await world.person()];
  const init = async () => {
    const project_id = await buyer.project();
    const body = { project_id, seller_id: seller.id, amount: 100, currency: 'USD' };
    return buyer.post('/escrow/init', body);
  };
  const { escrow_id } = (await init()).json.data;
  const house = { ...world.house, id: world.house.call.actor.marketplaceId };
  await stop(house, 'MONEY');
  expect([
    (await init()).status,
    (await buyer.post('/escrow/release', { escrow_id })).status,
  ]).toEqual([503, 503]);
  await lift(house, 'MONEY');
  expect((await buyer.post('/escrow/release', { escrow_id })).status).toBe(200);
});

it.each(['esc_none', 'esc_00000000000000000000000000', ''])('refuses %j', async (escrow_id) => {
  const person = await world.person();
  const { status } = await person.post('/escrow/release', { escrow_id });
  expect(status).toBe(escrow_id === '' ? 422 : 404);
});
