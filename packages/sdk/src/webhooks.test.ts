import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { isHoldfastError } from '#errors';
import { exampleEvent, exampleSecret } from '#testing';
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  type SignedWebhook,
  signWebhook,
  verifyWebhook,
} from '#webhooks';

const secret = exampleSecret();
const event = exampleEvent('order.released', { newSellerBalance: '95.00' });

/** The signature of the standard, computed without the SDK. */
function standard(body: string, id: string, timestamp: number): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

async function reasonOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.catch((thrown: unknown) => thrown);
  if (!isHoldfastError(error, 'WEBHOOK_REJECTED')) throw error;
  return error.details.reason;
}

describe('a signed webhook', () => {
  it('is signed as the standard says', async () => {
    const { body, headers } = await signWebhook(event, secret, { at: 1_700_000_000_000 });
    expect(headers['webhook-id']).toBe(event.eventId);
    expect(headers['webhook-signature']).toBe(standard(body, event.eventId, 1_700_000_000));
  });

  it('gives its event, for every form of body and headers', async () => {
    const { body, headers } = await signWebhook(event, secret);
    expect(await verifyWebhook(body, headers, secret)).toEqual(event);
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(event);
    const listed = { ...headers, 'webhook-id': [headers['webhook-id']] };
    expect(await verifyWebhook(body, listed, secret)).toEqual(event);
  });

  it('is taken while its secret is being rotated, at either end', async () => {
    const next = exampleSecret();
    const byBoth = await signWebhook(event, [next, secret]);
    expect(await verifyWebhook(byBoth.body, byBoth.headers, secret)).toEqual(event);
    const byOld = await signWebhook(event, secret);
    expect(await verifyWebhook(byOld.body, byOld.headers, [next, secret])).toEqual(event);
    expect(await reasonOf(verifyWebhook(byOld.body, byOld.headers, next))).toMatch(/no signature/);
  });

  it.each<[string, (signed: SignedWebhook) => SignedWebhook, RegExp]>([
    ['another body', (one) => ({ ...one, body: `${one.body} ` }), /no signature/],
    ['another id', (one) => withHeader(one, 'webhook-id', 'evt_2'), /no signature/],
    ['another time', (one) => withHeader(one, 'webhook-timestamp', '1'), /no signature/],
    ['no time', (one) => withHeader(one, 'webhook-timestamp', 'soon'), /missing/],
    ['no signature', (one) => withHeader(one, 'webhook-signature', ''), /no signature/],
    ['another version', (one) => withHeader(one, 'webhook-signature', 'v2,abc'), /no signature/],
    ['no base64', (one) => withHeader(one, 'webhook-signature', 'v1,***'), /no signature/],
    ['half a signature', (one) => withHeader(one, 'webhook-signature', 'v1,YQ=='), /no signature/],
  ])('is rejected with %s', async (_, change, reason) => {
    const { body, headers } = change(await signWebhook(event, secret));
    expect(await reasonOf(verifyWebhook(body, headers, secret))).toMatch(reason);
  });

  it('is rejected when it is too old, or from the future', async () => {
    const at = 1_700_000_000_000;
    const { body, headers } = await signWebhook(event, secret, { at });
    const verify = (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(body, headers, secret, { now: at + seconds * 1000, toleranceSeconds });
    expect(await verify(299)).toEqual(event);
    expect(await reasonOf(verify(301))).toMatch(/301 seconds/);
    expect(await reasonOf(verify(-301))).toMatch(/301 seconds/);
    expect(await verify(3000, 3600)).toEqual(event);
  });

  it('needs a valid secret', async () => {
    const { body, headers } = await signWebhook(event, secret);
    await expect(verifyWebhook(body, headers, [])).rejects.toThrow(TypeError);
    await expect(verifyWebhook(body, headers, 'whsec_')).rejects.toThrow(
      'a webhook secret must be whsec_ followed by base64',
    );
  });
});

function withHeader(signed: SignedWebhook, name: string, value: string): SignedWebhook {
  return { ...signed, headers: { ...signed.headers, [name]: value } };
}

const taken: string[] = [];
const take = async ({ eventId }: { readonly eventId: string }) => void taken.push(eventId);
const failing = () => Promise.reject(new Error('no database'));

describe('the adapter for fetch', () => {
  const post = async (handle: (request: Request) => Promise<Response>, signed: SignedWebhook) =>
    handle(new Request('http://localhost/hooks', { method: 'POST', ...signed }));

  it('returns 204, 401 or 500, and reports why', async () => {
    const errors: unknown[] = [];
    const options = { secret, onError: (error: unknown) => void errors.push(error) };
    const signed = await signWebhook(event, secret);
    expect((await post(fetchWebhook(take, options), signed)).status).toBe(204);
    const wrong = await post(fetchWebhook(take, options), { ...signed, body: '{}' });
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('raw body')]);
    expect((await post(fetchWebhook(failing, options), signed)).status).toBe(500);
    expect(errors).toHaveLength(2);
  });

  it('takes no body of more than a megabyte', async () => {
    const signed = await signWebhook(event, secret);
    const huge = { ...signed, body: 'x'.repeat(1_048_577) };
    expect((await post(fetchWebhook(take, { secret }), huge)).status).toBe(413);
  });
});

describe('the adapter for Express', () => {
  async function statusOf(app: express.Express, signed: SignedWebhook): Promise<number> {
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', ...signed });
    server.close();
    return response.status;
  }

  it('reads the raw body by itself, or takes it from express.raw()', async () => {
    const signed = await signWebhook(exampleEvent('order.closed', { orderId: 'ord_€' }), secret);
    const alone = express().post('/hooks', expressWebhook(take, { secret }));
    expect(await statusOf(alone, signed)).toBe(204);
    const raw = express().use(express.raw({ type: '*/*' }));
    expect(await statusOf(raw.post('/hooks', expressWebhook(take, { secret })), signed)).toBe(204);
    expect(await statusOf(alone, { ...signed, body: '{}' })).toBe(401);
  });

  it('says what is wrong when the body was parsed before', async () => {
    const signed = await signWebhook(event, secret);
    const errors: string[] = [];
    const onError = (error: unknown) => void errors.push((error as Error).message);
    const parsed = express().use(express.json());
    parsed.post('/hooks', expressWebhook(take, { secret, onError }));
    expect(await statusOf(parsed, signed)).toBe(500);
    expect(errors).toEqual([expect.stringContaining('before express.json()')]);
  });
});

describe('the adapter for Fastify', () => {
  it('reads the raw body for its own route, and leaves others alone', async () => {
    const { default: fastify } = await import('fastify');
    const app = fastify();
    app.register(fastifyWebhook('/hooks', take, { secret }));
    app.post('/other', async (request) => request.body);
    const signed = await signWebhook(event, secret);
    const post = (url: string, payload: string) =>
      app.inject({ method: 'POST', url, headers: signed.headers, payload });
    expect((await post('/hooks', signed.body)).statusCode).toBe(204);
    expect((await post('/hooks', '{}')).statusCode).toBe(401);
    expect((await post('/other', '{"a":1}')).json()).toEqual({ a: 1 });
    await app.close();
  });
});
