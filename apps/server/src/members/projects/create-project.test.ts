import { expect, it } from 'vitest';
import { openPlainMemberWorld } from '../../testing/members.ts';
import { useOpened } from '../../testing/use-world.ts';

const world = useOpened(openPlainMemberWorld);

it('creates an open project and records it in the audit log', async () => {
  const person = await world.person();
  const body = { title: 'A shed', budget: 99.5, currency: 'USDC' };
  const { data } = (await person.post('/projects', body)).json;
  expect(data).toMatchObject({ ...body, description: '', status: 'open' });
  const audited = await world.rows('select action, actor_id from audit where resource_id = $1', [
    data.id,
  ]);
  expect(audited).toEqual([{ action: 'PROJECT_CREATED', actor_id: person.id }]);
});

it.each([
  { title: '' },
  { budget: 0 },
  { budget: -1 },
  { budget: 1.001 },
  { budget: '10' },
  { currency: 'EUR' },
])('refuses %j and names the invalid fields', async (wrong) => {
  const person = await world.person();
  const body = { title: 'x', budget: 10, currency: 'USD', ...wrong };
  const response = await person.post('/projects', body);
  expect([response.status, response.json.errors.length > 0]).toEqual([422, true]);
});
