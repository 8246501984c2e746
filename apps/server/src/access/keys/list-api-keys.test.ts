import { expect, it } from 'vitest';
import { useOpenedEach } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';

const world = useOpenedEach(openWorld);

it('shows a key its own marketplace, the master key all, and no caller a secret', async () => {
  const [one, other] = [await world.market(), await world.market()];
  const own = await one.send('GET', '/auth/api-keys');
  expect(own.json.data.data.map((key: { id: string }) => key.id)).toEqual([one.keyId]);
  const all = await world.send('GET', '/auth/api-keys', { key: world.masterKey });
  expect(all.json.data.data.map((key: { id: string }) => key.id)).toEqual([other.keyId, one.keyId]);
  for (const { text } of [own, all]) expect(text).not.toContain(one.key);
});

it('pages newest first', async () => {
  const { id } = await world.market();
  for (let more = 0; more < 3; more += 1) await world.market({ marketplaceId: id });
  const first = await world.send('GET', '/auth/api-keys?limit=2', { key: world.masterKey });
  expect(first.json.data).toMatchObject({ hasMore: true, nextCursor: first.json.data.data[1].id });
  const second = await world.send(
    'GET',
    `/auth/api-keys?limit=2&cursor=${first.json.data.nextCursor}`,
    { key: world.masterKey },
  );
  expect(second.json.data.data[0].id < first.json.data.nextCursor).toBe(true);
});
