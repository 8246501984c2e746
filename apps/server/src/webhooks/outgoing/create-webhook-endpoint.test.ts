import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useMarket } from '../../testing/use-world.ts';
import { createEndpoint, HOOK_URL } from '../../testing/webhook-receiver.ts';
import { openWorld } from '../../testing/world.ts';

const { world, market } = useMarket();

const create = (body: unknown, headers: Record<string, string> = {}) =>
  market.send('POST', '/webhook-endpoints', { body, headers });

it('subscribes to all types by default, and returns its secret once', async () => {
  const created = await create({ url: HOOK_URL, description: 'the shop' });
  expect(created.json.data.data).toMatchObject({
    url: HOOK_URL,
    description: 'the shop',
    types: ['*'],
    status: 'ACTIVE',
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { id, secret } = created.json.data.data;
  const shown = await market.send('GET', `/webhook-endpoints/${id}`);
  expect(shown.text).not.toContain(secret.slice(6));
  expect(Object.keys(shown.json.data.data)).not.toContain('secret');
});

it('stores the secret sealed: in no table in clear, and no other endpoint opens it', async () => {
  const { id, secret } = await createEndpoint(market, { url: HOOK_URL });
  const bytes = Buffer.from(secret.slice(6), 'base64');
  const [row] = await world.rows<{ secret: Buffer; text: string }>(
    'select secret, row_to_json(e)::text as text from webhook_endpoint e where id = $1',
    [id],
  );
  expect(row?.secret.includes(bytes)).toBe(false);
  expect(row?.text).not.toContain(secret.slice(6));
  const audits = await world.rows<{ text: string }>(
    'select row_to_json(a)::text as text from audit a',
  );
  for (const { text } of audits) expect(text).not.toContain(secret.slice(6));
  const keys = world.app.webhooks.keys;
  const wrapped = { version: 'v1', bytes: row?.secret as Buffer };
  expect(Buffer.from((await keys?.unwrap(wrapped, `webhook|${id}`)) ?? [])).toEqual(bytes);
  await expect(keys?.unwrap(wrapped, `webhook|${id}x`)).rejects.toThrow();
});

it('replays under an Idempotency-Key without the secret', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const [first, again] = [
    await create({ url: HOOK_URL }, headers),
    await create({ url: HOOK_URL }, headers),
  ];
  expect(again.json.data.data.id).toBe(first.json.data.data.id);
  expect(again.json.data.data.secret).toBeUndefined();
  expect(first.json.data.data.secret).toBeDefined();
});

it.each(['http://10.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'ftp://127.0.0.1/', 'https://a@b.c/'])(
  'refuses %s',
  async (url) => {
    const { status, json } = await create({ url });
    expect([status, json.error.code]).toEqual([422, 'WEBHOOK_URL_REFUSED']);
  },
);

it.each([['order'], ['order.made'], ['Order.*'], [''], []])(
  'refuses the type %j',
  async (...types) => {
    const { status, json } = await create({
      url: HOOK_URL,
      types: types.filter((t) => t !== undefined),
    });
    expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);

it('creates a hundred, and no more', async () => {
  const fullMarket = await world.market();
  await world.rows(
    `insert into webhook_endpoint (marketplace_id, id, url, types, status, secret, created_at,
       updated_at)
     select $1, 'whe_' || n, 'https://x', array['*'], 'ACTIVE', 'x', now(), now()
     from generate_series(1, 99) n`,
    [fullMarket.call.actor.marketplace],
  );
  const body = { url: HOOK_URL };
  expect((await fullMarket.send('POST', '/webhook-endpoints', { body })).status).toBe(201);
  const { status, json } = await fullMarket.send('POST', '/webhook-endpoints', { body });
  expect([status, json.error]).toMatchObject([422, { code: 'WEBHOOK_LIMIT' }]);
});

it('is refused where secrets could not be sealed', async () => {
  const bare = await openWorld({ env: { HOLDFAST_WEBHOOK_KEYS: '' } });
  const { status, json } = await (await bare.market()).send('POST', '/webhook-endpoints', {
    body: { url: HOOK_URL },
  });
  expect([status, json.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  await bare.close();
});
