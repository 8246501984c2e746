import { afterEach, describe, expect, it } from 'vitest';
import { Holdfast, isHoldfastError } from '#index';
import { ClientFixture } from './testing/client-fixture.ts';
import { data, refusal } from './testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());
const against = service.against.bind(service);

const seen = () => service.seen;
const keys = () => seen().map(({ headers }) => headers['idempotency-key']);

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a request', () => {
  it('carries the key, the body and the query, and encodes what stands in the path', async () => {
    const holdfast = await against([data({})]);
    await holdfast.milestones.complete('ord_1', 'a/b ?');
    await holdfast.balances.credit('usr_1', { amount: '1.00', reference: undefined });
    await holdfast.events.log({ types: ['order.closed', 'order.released'], limit: 5 }).page();
    const [milestone, credit, log] = seen();
    expect(milestone).toMatchObject({
      method: 'POST',
      url: '/api/v1/orders/ord_1/milestones/a%2Fb%20%3F/complete',
      body: '',
    });
    expect(milestone?.headers).not.toHaveProperty('content-type');
    expect(credit?.headers).toMatchObject({
      authorization: 'Bearer key',
      'content-type': 'application/json',
    });
    expect(credit?.body).toBe('{"amount":"1.00"}');
    expect(log?.url).toBe('/api/v1/events/log?types=order.closed&types=order.released&limit=5');
  });

  it.each(['', '.', '..'])('does not go out with %j for an id', async (id) => {
    const holdfast = await against([data({})]);
    await expect(holdfast.orders.get(id)).rejects.toThrow(TypeError);
    expect(seen()).toEqual([]);
  });

  it('repeats in the body what the path says, where the contract requires both', async () => {
    const holdfast = await against([data({})]);
    await holdfast.orders.openDispute('ord_1', { openedBy: 'BUYER', reason: 'OTHER' });
    expect(JSON.parse(seen()[0]?.body ?? '')).toEqual({
      orderId: 'ord_1',
      openedBy: 'BUYER',
      reason: 'OTHER',
    });
  });

  it('takes a base with or without the path of the surface', async () => {
    const holdfast = await against([data({})]);
    await holdfast.with({ baseUrl: `${service.url}/api/v1/` }).health.get();
    expect(seen()[0]?.url).toBe('/api/v1/health');
  });

  it('of a signed-in page carries its session, a reason and no key', async () => {
    process.env['HOLDFAST_API_KEY'] = 'of the environment';
    try {
      const holdfast = await against([data({})], {
        apiKey: undefined,
        session: { marketplaceId: 'mkt_1', csrfToken: 'token' },
      });
      await holdfast.users.get('usr_1', { reason: 'Käufer rief an' });
      expect(seen()[0]?.headers).toMatchObject({
        'x-holdfast-marketplace': 'mkt_1',
        'x-holdfast-csrf': 'token',
        'x-holdfast-reason': 'K%C3%A4ufer%20rief%20an',
      });
      expect(seen()[0]?.headers).not.toHaveProperty('authorization');
      await new Holdfast({ baseUrl: service.url }).users.get('usr_1');
      expect(seen()[1]?.headers.authorization).toBe('Bearer of the environment');
    } finally {
      delete process.env['HOLDFAST_API_KEY'];
    }
  });

  it('is refused in a web page with a long-lived key', async () => {
    const page = globalThis as Record<string, unknown>;
    const apiKey = `hf_dev_${'a'.repeat(49)}`;
    Object.assign(page, { window: {}, document: {} });
    try {
      expect(() => new Holdfast({ apiKey })).toThrow(
        'An API key must not be used in a web page: use a token from keys.createToken, or a session',
      );
      expect(new Holdfast({ apiKey, allowKeyInPage: true })).toBeInstanceOf(Holdfast);
      expect(new Holdfast({ apiKey: 'a token' })).toBeInstanceOf(Holdfast);
    } finally {
      delete page['window'];
      delete page['document'];
    }
    expect(new Holdfast({ apiKey })).toBeInstanceOf(Holdfast);
  });

  it('can be observed before it is sent and after it has ended', async () => {
    const reports: unknown[] = [];
    const holdfast = await against([refusal(503, 'SERVICE_UNAVAILABLE'), data({})], {
      onRequest: ({ headers, attempt }) => headers.set('traceparent', `00-${attempt}`),
      onResponse: ({ endpoint, attempt, status, error }) =>
        void reports.push([endpoint, attempt, status, error?.code]),
    });
    await holdfast.users.get('usr_1');
    expect(seen().map(({ headers }) => headers['traceparent'])).toEqual(['00-0', '00-1']);
    expect(reports).toEqual([
      ['getUser', 0, 503, 'SERVICE_UNAVAILABLE'],
      ['getUser', 1, 200, undefined],
    ]);
  });
});

describe('a response', () => {
  it('is its data, or its data with what surrounded it', async () => {
    const holdfast = await against([
      data({ id: 'usr_1' }),
      data({ id: 'usr_1' }, { 'idempotency-replay': 'true' }),
    ]);
    expect(await holdfast.users.get('usr_1')).toEqual({ id: 'usr_1' });
    const whole = await holdfast.users.create({ externalUserId: 'a' }).withResponse();
    expect(whole).toMatchObject({ status: 200, requestId: 'req-1', retries: 0, isReplay: true });
    expect(whole.idempotencyKey).toMatch(UUID_V4);
  });

  it('that refuses is an error with code, details, request id and page', async () => {
    const details = { resource: 'order', state: 'CLOSED' };
    const holdfast = await against([refusal(400, 'INVALID_STATE', details)]);
    const error = await holdfast.orders.release('ord_1').catch((thrown: unknown) => thrown);
    if (!isHoldfastError(error, 'INVALID_STATE')) throw new Error('not ours');
    expect(error).toMatchObject({
      status: 400,
      requestId: 'req-1',
      retry: 'never',
      retryable: false,
      isOutcomeKnown: true,
      docUrl: `${service.url}/docs/reference/errors/invalid_state/`,
    });
    expect(error.details.state).toBe('CLOSED');
    expect(error.message).toBe('POST /orders/ord_1/resolution/release: INVALID_STATE!');
    expect(isHoldfastError(error, 'ORDER_NOT_FOUND')).toBe(false);
  });

  it('as a result object is not thrown, and leaves no unhandled rejection', async () => {
    const holdfast = await against([refusal(404, 'ORDER_NOT_FOUND', { orderId: 'ord_1' })]);
    const result = await holdfast.orders.get('ord_1').result();
    expect(result).toMatchObject({ ok: false, error: { code: 'ORDER_NOT_FOUND' } });
    await expect(holdfast.orders.get('ord_1').withResponse()).rejects.toThrow('ORDER_NOT_FOUND');
  });

  it('that needs a second approver is distinguished from one that is done', async () => {
    const approval = { id: 'apr_1', action: 'releaseOrder', status: 'PENDING' };
    const holdfast = await against([data(approval, {}, 202), data({ id: 'ord_1' })]);
    expect(await holdfast.orders.release('ord_1').outcome()).toEqual({
      kind: 'approval-pending',
      approval,
    });
    const done = { kind: 'done', data: { id: 'ord_1' } };
    expect(await holdfast.orders.release('ord_1').outcome()).toEqual(done);
  });

  it('with an unexpected approval is an error, and not taken for the data', async () => {
    const holdfast = await against([data({ id: 'apr_1', action: 'releaseOrder' }, {}, 202)]);
    await expect(holdfast.orders.release('ord_1')).rejects.toMatchObject({
      code: 'APPROVAL_PENDING',
      details: { approval: { id: 'apr_1' } },
      isOutcomeKnown: true,
    });
    expect(seen()).toHaveLength(1);
  });

  it('with a code that is newer than the SDK keeps it, and is not repeated', async () => {
    const holdfast = await against([refusal(409, 'BRAND_NEW', { why: 'x' })]);
    const result = await holdfast.orders.get('ord_1').result();
    expect(!result.ok && result.error).toMatchObject({
      code: 'BRAND_NEW',
      retry: 'never',
      details: { why: 'x' },
    });
    expect(seen()).toHaveLength(1);
  });
});

describe("a caller's own key", () => {
  it('is refused where the endpoint supports none', async () => {
    const holdfast = await against([data({})]);
    const key: object = { idempotencyKey: 'cart 42' };
    await expect(holdfast.orders.release('ord_1', {}, key)).rejects.toThrow(
      /^releaseOrder does not support idempotencyKey$/,
    );
    const order = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '1.00', title: 'A table' };
    await expect(holdfast.orders.create(order, key)).rejects.toThrow(
      'createOrder does not support idempotencyKey; use clientOrderRef in the body instead',
    );
    expect(seen()).toEqual([]);
  });

  it('may be any text: the same text is the same key for the same call', async () => {
    const holdfast = await against([data({})]);
    const key = { idempotencyKey: 'cart 42' };
    await holdfast.balances.credit('usr_1', { amount: '1.00' }, key);
    await holdfast.balances.credit('usr_1', { amount: '1.00' }, key);
    await holdfast.balances.debit('usr_1', { amount: '1.00' }, key);
    const uuid = '3f0c1a52-6a0d-4c39-9c0e-5f7c2f7d9b11';
    await holdfast.balances.credit('usr_1', { amount: '1.00' }, { idempotencyKey: uuid });
    const [first, second, third, fourth] = keys();
    expect(first).toMatch(UUID_V4);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(fourth).toBe(uuid);
  });
});
