import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isRefusal } from '../testing/refusal.ts';
import { openWorld, type World } from '../testing/world.ts';
import { createUser } from './create-user.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('creates a user with its event and audit entry in one transaction', async () => {
  const market = await world.market();
  const { user } = await createUser(world.app, market.call, {
    externalUserId: 'ada',
    email: 'ada@example.test',
  });
  const rows = await world.rows(
    `select o.event_type, o.payload, a.action, u.xmin = o.xmin and u.xmin = a.xmin as together
    from users u join outbox o on o.aggregate_id = u.id join audit a on a.resource_id = u.id where u.id = $1`,
    [user.id],
  );
  expect(rows).toEqual([
    {
      event_type: 'user.created',
      action: 'USER_CREATED',
      together: true,
      payload: {
        userId: user.id,
        externalUserId: 'ada',
        email: 'ada@example.test',
        type: 'BOTH',
        status: 'ACTIVE',
      },
    },
  ]);
});

it('answers the same user again, and refuses another under its external id', async () => {
  const market = await world.market();
  const wish = { externalUserId: 'bo', type: 'SELLER' } as const;
  const first = await createUser(world.app, market.call, wish);
  expect(await createUser(world.app, market.call, wish)).toEqual({
    user: first.user,
    isNew: false,
  });
  await expect(
    createUser(world.app, market.call, { externalUserId: 'bo', type: 'BUYER' }),
  ).rejects.toSatisfy(isRefusal('USER_ALREADY_EXISTS'));
});

it('twenty times at once makes one', async () => {
  const market = await world.market();
  const externalUserId = randomUUID();
  const made = await Promise.all(
    Array.from({ length: 20 }, () => createUser(world.app, market.call, { externalUserId })),
  );
  expect(new Set(made.map(({ user }) => user.id)).size).toBe(1);
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
});

it('of a hundred people at once makes a hundred', async () => {
  const market = await world.market();
  const made = await Promise.all(
    Array.from({ length: 100 }, () =>
      createUser(world.app, market.call, { externalUserId: randomUUID() }),
    ),
  );
  expect(new Set(made.map(({ user }) => user.id)).size).toBe(100);
});

it('replays under an Idempotency-Key, refusals too', async () => {
  const market = await world.market();
  const send = (body: unknown, key: string) =>
    market.send('POST', '/users', { body, headers: { 'idempotency-key': key } });
  const key = randomUUID();
  const first = await send({ externalUserId: 'cy' }, key);
  const again = await send({ externalUserId: 'cy' }, key);
  expect([again.status, again.text, again.headers['idempotency-replay']]).toEqual([
    201,
    first.text,
    'true',
  ]);
  expect((await send({ externalUserId: 'other' }, key)).json.error.code).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  );
  const refusedKey = randomUUID();
  const refused = await send({ externalUserId: 'cy', type: 'BUYER' }, refusedKey);
  const refusedAgain = await send({ externalUserId: 'cy', type: 'BUYER' }, refusedKey);
  expect([
    refusedAgain.status,
    refusedAgain.text,
    refusedAgain.headers['idempotency-replay'],
  ]).toEqual([409, refused.text, 'true']);
});

it('takes both spellings, and refuses two that differ', async () => {
  const market = await world.market();
  expect(
    (await market.send('POST', '/users', { body: { external_user_id: 'di' } })).json.data.data
      .externalUserId,
  ).toBe('di');
  expect(
    (await market.send('POST', '/users', { body: { external_user_id: 'a', externalUserId: 'b' } }))
      .status,
  ).toBe(400);
});
