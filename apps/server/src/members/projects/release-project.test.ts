import { expect, it } from 'vitest';
import { balanceOf, effectsOf, useAuditedBooks } from '../../testing/escrows.ts';
import { openMemberWorld } from '../../testing/members.ts';
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

it.each(['esc_none', 'esc_00000000000000000000000000', ''])('refuses %j', async (escrow_id) => {
  const person = await world.person();
  const { status } = await person.post('/escrow/release', { escrow_id });
  expect(status).toBe(escrow_id === '' ? 422 : 404);
});
