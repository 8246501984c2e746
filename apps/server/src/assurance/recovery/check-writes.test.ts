import { randomUUID } from 'node:crypto';
import { assert } from '@holdfast/kernel/assert';
import { manualClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { afterEach, expect, it } from 'vitest';
import type { AcknowledgedWrite } from '../../platform/acknowledged-write.ts';
import { useEscrowWorld } from '../../testing/escrows.ts';
import { closeAs, openAgain, remember } from '../../testing/rewind.ts';
import { RecentWrites } from './recent-writes.ts';

const { world, market } = useEscrowWorld();

afterEach(() => openAgain(world));

const findings = () =>
  world.rows(
    `select kind, reference, user_id, amount, currency, detail from recovery_finding
     where lineage = (select max(number) from lineage) order by id`,
  );

async function credit(userId: string, key?: string): Promise<string> {
  const path = `/users/${userId}/balance/credit`;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const body = { amount: '1.00', reference: key ?? randomUUID() };
  const response = await world.send('POST', path, { key: market.key, headers, body });
  expect(response.status).toBe(200);
  return response.json.meta.requestId;
}

it('reports the last writes that are lost when the history changes, each once', async () => {
  const { writes } = world.app;
  const userId = await market.user();
  expect(await writes.check()).toBe(0);
  const key = randomUUID();
  const stored = await credit(userId, key);
  const moment = await remember(world);
  const lost = await credit(userId);
  const path = '/orders';
  const body = { buyerId: userId, sellerId: await market.user(), amount: '5.00', title: 'A table' };
  const order = await world.send('POST', path, { key: market.key, body });
  // The response to the first request may be lost: the second one acknowledges its write.
  expect(await credit(userId, key)).toBe(stored);
  await moment.restore();
  await closeAs(world, 'REWOUND');

  expect(await writes.check()).toBe(2);
  expect(await writes.check()).toBe(0);
  const found = await findings();
  expect(found.map(({ reference }) => reference)).toEqual([
    expect.stringMatching(new RegExp(`^${lost}/\\d+$`)),
    expect.stringMatching(new RegExp(`^${order.json.meta.requestId}/(aud_|[0-9a-f-]{36}$)`)),
  ]);
  expect(found[0]).toMatchObject({
    kind: 'ACKNOWLEDGED_WRITE_LOST',
    user_id: userId,
    amount: '1.00',
    detail: expect.stringMatching(
      /^POST \/api\/v1\/users\/usr_\w+\/balance\/credit by key_\w+ got 200 at /,
    ),
  });
});

it('compares its writes with each history that follows, also with one of the same number', async () => {
  const { writes } = world.app;
  const userId = await market.user();
  await writes.check();
  const moment = await remember(world);
  const requestId = await credit(userId);
  await closeAs(world, 'PROMOTED');
  await writes.check();
  expect(await findings()).toEqual([]);
  // The standby that took over is lost too, and another one knows neither it nor the write.
  await world.rows('delete from lineage where number = (select max(number) from lineage)');
  await moment.restore();
  await closeAs(world, 'PROMOTED');
  await writes.check();
  expect((await findings()).map(({ reference }) => reference)).toEqual([
    expect.stringMatching(new RegExp(`^${requestId}/`)),
  ]);
});

it('keeps the writes of at least a minute', async () => {
  const clock = manualClock(0);
  const writes = new RecentWrites({ ...world.app, clock, onHistoryChange: () => undefined });
  const record = (path: string) =>
    writes.record({
      ...{
        id: path,
        requestId: path,
        idempotencyScope: null,
        at: clock.now(),
        method: 'POST',
        path,
        status: 200,
        actorId: 'key',
      },
      ...{ resourceId: null, amount: null, currency: null },
    });
  record('/first');
  clock.advance(59_000);
  record('/second');
  clock.advance(2000);
  record('/third');
  clock.advance(61_000);
  record('/fourth');
  expect(writes.recent.map(({ path }) => path)).toEqual(['/third', '/fourth']);
  await writes.close();
});

it('POST /recovery/writes returns which of the given writes are lost', async () => {
  const userId = await market.user();
  const requestId = await credit(userId, randomUUID());
  const stored = world.app.writes.recent.find((write) => write.requestId === requestId);
  assert(stored !== undefined, 'it was acknowledged');
  const at = new Date(stored.at).toISOString();
  const given = (writeId: string, request: string) => ({
    ...{ writeId, requestId: request, at, method: 'POST', path: '/api/v1/orders', status: 201 },
    ...{ actorId: market.keyId, resourceId: 'ord_lost' },
  });
  const gone = given(newId('op', 0), 'r');
  // After a restore, the number of a journal entry may be another request's.
  const others = [given(stored.id, randomUUID()), given(stored.id, randomUUID())];
  // Its response was lost, and the caller has repeated it after the restore.
  const again = { ...given(newId('op', 0), randomUUID()), ...keyOf(stored) };
  const writes = [given(stored.id, requestId), again, ...others, gone];
  const response = await world.send('POST', '/recovery/writes', {
    key: world.masterKey,
    body: { writes },
  });
  const lost = [...others, gone].map(({ writeId, requestId: of }) => ({ writeId, requestId: of }));
  expect(response.json.data.data).toEqual({ checked: 5, lost });
  const reported = (await findings()).map(({ reference }) => reference);
  expect(reported).toEqual(
    expect.arrayContaining(lost.map((each) => `${each.requestId}/${each.writeId}`)),
  );
  expect(reported).not.toContain(`${requestId}/${stored.id}`);
});

function keyOf({ idempotencyScope }: AcknowledgedWrite) {
  assert(idempotencyScope !== null, 'it had an Idempotency-Key');
  return { idempotencyScope };
}

it('reports another history once', async () => {
  let changes = 0;
  const onHistoryChange = () => {
    changes += 1;
  };
  const writes = new RecentWrites({ ...world.app, onHistoryChange });
  await writes.check();
  await closeAs(world, 'PROMOTED');
  await writes.check();
  await writes.check();
  expect(changes).toBe(1);
});
