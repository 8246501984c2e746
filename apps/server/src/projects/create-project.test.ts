import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MemberStage, openPlainMemberWorld } from '../testing/members.ts';
import type { World } from '../testing/world.ts';

let world: World & MemberStage;
beforeAll(async () => {
  world = await openPlainMemberWorld();
});
afterAll(() => world.close());

it('creates an open project, told in the audit', async () => {
  const person = await world.person();
  const body = { title: 'A shed', budget: 99.5, currency: 'USDC' };
  const { data } = (await person.post('/projects', body)).json;
  expect(data).toMatchObject({ ...body, description: '', status: 'open' });
  const told = await world.rows('select action, actor_id from audit where resource_id = $1', [
    data.id,
  ]);
  expect(told).toEqual([{ action: 'PROJECT_CREATED', actor_id: person.id }]);
});

it.each([
  { title: '' },
  { budget: 0 },
  { budget: -1 },
  { budget: 1.001 },
  { budget: '10' },
  { currency: 'EUR' },
])('refuses %j with what is wrong', async (wrong) => {
  const person = await world.person();
  const body = { title: 'x', budget: 10, currency: 'USD', ...wrong };
  const answer = await person.post('/projects', body);
  expect([answer.status, answer.json.errors.length > 0]).toEqual([422, true]);
});
