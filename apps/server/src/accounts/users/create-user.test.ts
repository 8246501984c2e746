import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened, useWorld } from '../../testing/use-world.ts';
import { createUser } from './create-user.ts';

const world = useWorld();

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

it('returns the same user again, and refuses another under its external id', async () => {
  const market = await world.market();
  const input = { externalUserId: 'bo', type: 'SELLER' } as const;
  const first = await createUser(world.app, market.call, input);
  expect(await createUser(world.app, market.call, input)).toEqual({
    user: first.user,
    isNew: false,
  });
  await expect(
    createUser(world.app, market.call, { externalUserId: 'bo', type: 'BUYER' }),
  ).rejects.toSatisfy(isRefusal('USER_ALREADY_EXISTS'));
});

it('creates one user for twenty concurrent requests', async () => {
  const market = await world.market();
  const externalUserId = randomUUID();
  const created = await Promise.all(
    Array.from({ length: 20 }, () => createUser(world.app, market.call, { externalUserId })),
  );
  expect(new Set(created.map(({ user }) => user.id)).size).toBe(1);
  expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
});

it('creates a hundred users at once', async () => {
  const market = await world.market();
  const created = await Promise.all(
    Array.from({ length: 100 }, () =>
      createUser(world.app, market.call, { externalUserId: randomUUID() }),
    ),
  );
  expect(new Set(created.map(({ user }) => user.id)).size).toBe(100);
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
  for (const { headers } of [refused, refusedAgain])
    expect(headers['x-idempotency-key']).toBe(refusedKey);
  // Not stored: the same key may be used for a corrected request.
  const invalid = await send({ externalUserId: '' }, randomUUID());
  expect([invalid.status, invalid.headers['x-idempotency-key']]).toEqual([400, undefined]);
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

describe('creating a user with wallets in stock', () => {
  const sandboxed = useOpened(() => openSandboxWorld({ HOLDFAST_SPARE_WALLETS: '12' }));
  beforeEach(() => sandboxed.runWorker());

  const stock = () =>
    sandboxed.rows(
      'select count(*)::int as all, count(claimed_at)::int as claimed from pooled_wallet',
    );
  const full = [{ all: 12, claimed: 0 }];

  it('returns the address, and emits both events in the transaction of the user', async () => {
    const market = await sandboxed.market();
    const { json } = await market.send('POST', '/users', { body: { externalUserId: 'ada' } });
    const { id, ledgerAddress } = json.data.data;
    expect(ledgerAddress).toMatch(/^G[A-Z2-7]{55}$/);
    expect(await sandboxed.custody.network.account(ledgerAddress)).toMatchObject({
      value: { hasUsdcTrustline: true },
    });
    expect(
      await sandboxed.rows(
        `select event_type, payload->>'ledgerAddress' as address, u.xmin = o.xmin as together
        from outbox o join users u on u.id = o.aggregate_id where u.id = $1 order by o.id`,
        [id],
      ),
    ).toEqual([
      { event_type: 'user.created', address: null, together: true },
      { event_type: 'user.ledger_linked', address: ledgerAddress, together: true },
    ]);
    expect(
      await sandboxed.rows(
        `select action, actor_id, a.after->>'ledgerAddress' as address, u.xmin = a.xmin as together
        from audit a join users u on u.id = a.resource_id where u.id = $1 order by a.id`,
        [id],
      ),
    ).toEqual([
      { action: 'USER_CREATED', actor_id: market.keyId, address: null, together: true },
      {
        action: 'LEDGER_ADDRESS_LINKED',
        actor_id: market.keyId,
        address: ledgerAddress,
        together: true,
      },
    ]);
  });

  it('gives ten concurrent users ten different addresses', async () => {
    const market = await sandboxed.market();
    const created = await Promise.all(
      Array.from({ length: 10 }, () =>
        createUser(sandboxed.app, market.call, { externalUserId: randomUUID() }),
      ),
    );
    const addresses = created.map(({ user }) => user.ledgerAddress);
    expect(addresses).not.toContain(null);
    expect(new Set(addresses).size).toBe(10);
    expect(await stock()).toEqual([{ all: 2, claimed: 0 }]);
  });

  it('uses no wallet when it returns a user again, refuses, replays or fails', async () => {
    const market = await sandboxed.market();
    const input = { externalUserId: 'bo', type: 'SELLER' } as const;
    const key = { 'idempotency-key': randomUUID() };
    const send = () => market.send('POST', '/users', { body: input, headers: key });
    const first = await send();
    await sandboxed.runWorker();
    expect((await send()).text).toBe(first.text);
    const { user, isNew } = await createUser(sandboxed.app, market.call, input);
    expect([user.ledgerAddress, isNew]).toEqual([first.json.data.data.ledgerAddress, false]);
    await expect(
      createUser(sandboxed.app, market.call, { ...input, type: 'BUYER' }),
    ).rejects.toSatisfy(isRefusal('USER_ALREADY_EXISTS'));
    const dying = {
      ...market.call,
      idempotency: {
        key: 'k',
        scopeHash: randomUUID(),
        requestHash: 'r',
        render: () => {
          throw new Error('just before the commit');
        },
        renderRefusal: () => undefined,
      },
    };
    await expect(
      createUser(sandboxed.app, dying, { externalUserId: randomUUID() }),
    ).rejects.toThrow(/just before/);
    expect(await stock()).toEqual(full);
  });

  it('creates one user with one wallet for twenty concurrent requests', async () => {
    const market = await sandboxed.market();
    const created = await Promise.all(
      Array.from({ length: 20 }, () =>
        createUser(sandboxed.app, market.call, { externalUserId: 'cy' }),
      ),
    );
    expect(new Set(created.map(({ user }) => user.id)).size).toBe(1);
    expect(await stock()).toEqual([{ all: 11, claimed: 0 }]);
  });

  it('leaves the wallet to the background when out of stock', async () => {
    const market = await sandboxed.market();
    const created = await Promise.all(
      Array.from({ length: 20 }, () =>
        createUser(sandboxed.app, market.call, { externalUserId: randomUUID() }),
      ),
    );
    expect(created.filter(({ user }) => user.ledgerAddress !== null)).toHaveLength(12);
    await sandboxed.runWorker();
    const listed = await market.send('GET', '/users?limit=50');
    const addresses = listed.json.data.data.map(
      (user: { ledgerAddress: string | null }) => user.ledgerAddress,
    );
    expect(addresses).not.toContain(null);
    expect(new Set(addresses).size).toBe(20);
  });

  it('does the same when its pooled wallet is gone before it is taken', async () => {
    await sandboxed.rows(`
      create function lose_spares() returns trigger language plpgsql security definer as
        $$ begin delete from pooled_wallet; return new; end $$;
      create trigger lose_spares before insert on users execute function lose_spares()`);
    const market = await sandboxed.market();
    const { user } = await createUser(sandboxed.app, market.call, { externalUserId: 'di' });
    await sandboxed.rows('drop function lose_spares cascade');
    expect(user.ledgerAddress).toBeNull();
    expect(await sandboxed.rows('select status from wallet where user_id = $1', [user.id])).toEqual(
      [{ status: 'WANTED' }],
    );
  });
});
