import { beforeAll, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { listen, openSse } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();
let base: string;
beforeAll(async () => {
  base = await listen(world);
});

const email = 'ada@example.com';
const MASKED = 'a•••@e•••.com';
const SOON_MS = 10_000;

it('masks addresses for an operator, in stream, log and audit, and not for a key', async () => {
  const market = await world.market();
  const viewer = await desk(world, { role: 'viewer', marketplaceId: market.id });
  const { host: _, origin: __, ...headers } = viewer.headers;
  const since = `?since=${new Date(Date.now() - 60_000).toISOString()}`;
  const readers = [await openSse(base, { headers }), await openSse(base, { key: market.key })];
  const body = { email, externalUserId: `member:${email}` };
  await market.send('POST', '/users', { body });
  await world.sequence();
  readers.push(await openSse(base, { headers, query: since }));
  const textOf = ({ text }: { readonly text: string }) => text;
  for (const reader of readers)
    await eventually(SOON_MS, () => expect(textOf(reader)).toContain('user.created'));
  const [live, whole, later] = readers.map(textOf);
  for (const text of [live, later]) {
    expect(text).toContain(`"email":"${MASKED}"`);
    expect(text).not.toContain(email);
  }
  expect(whole).toContain(email);
  for (const path of ['/events/log', '/audit/logs']) {
    const [masked, plain] = [await viewer.send('GET', path), await market.send('GET', path)];
    expect(masked.text).toContain(MASKED);
    expect(masked.text).not.toContain(email);
    expect(plain.text).toContain(email);
  }
  for (const reader of readers) reader.close();
});
