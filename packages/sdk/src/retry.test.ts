import { afterEach, describe, expect, it } from 'vitest';
import { ClientFixture } from './testing/client-fixture.ts';
import { cut, data, type Responder, refusal, silence, text } from './testing/stand-in.ts';

const service = new ClientFixture();
afterEach(() => service.stop());
const against = service.against.bind(service);

const seen = () => service.seen;
const keys = () => seen().map(({ headers }) => headers['idempotency-key']);

const order = { buyerId: 'usr_1', sellerId: 'usr_2', amount: '1.00', title: 'A table' };
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a lost response', () => {
  it('of a read is requested again', async () => {
    const half = text(200, '{"data":{"data":{"id":"ord');
    const holdfast = await against([cut, text(502, '<html>'), half, data({ id: 'ord_1' })]);
    const { retries } = await holdfast.orders.get('ord_1').withResponse();
    expect([retries, seen().length]).toEqual([3, 4]);
  });

  it('of a call with a key is requested again under that key', async () => {
    const holdfast = await against([cut, text(504, 'late'), data({})]);
    await holdfast.balances.credit('usr_1', { amount: '1.00' });
    expect(new Set(keys()).size).toBe(1);
    expect(keys()).toEqual([expect.stringMatching(UUID_V4), keys()[0], keys()[0]]);
    expect(seen().map(({ body }) => body)).toEqual(Array(3).fill('{"amount":"1.00"}'));
    await holdfast.balances.credit('usr_1', { amount: '1.00' });
    expect(keys()[3]).not.toBe(keys()[0]);
  });

  it.each([
    ['a cut connection', cut, 'CONNECTION_FAILED'],
    ['a page of a proxy', text(502, '<html>'), 'UNREADABLE_RESPONSE'],
    ['half a response', text(200, '{"data":'), 'UNREADABLE_RESPONSE'],
    ['silence', silence, 'TIMED_OUT'],
  ])('of a call without a key is not requested again: %s', async (_, responder, code) => {
    const holdfast = await against([responder, data({})], { timeoutMs: 1_500 });
    const result = await holdfast.orders.release('ord_1').result();
    expect(!result.ok && result.error).toMatchObject({
      code,
      isOutcomeKnown: false,
      retry: 'check-first',
      retryable: false,
    });
    expect(seen()).toHaveLength(1);
    expect(keys()).toEqual([undefined]);
  });

  it('of a new order is requested again when the order has a reference, and only then', async () => {
    const holdfast = await against([cut, data({})]);
    expect((await holdfast.orders.create(order).result()).ok).toBe(false);
    await service.stop();
    const again = await against([cut, data({})]);
    await again.orders.create({ ...order, clientOrderRef: 'table-1' });
    expect(seen()).toHaveLength(2);
  });

  it('is not requested again when the provider did not reply', async () => {
    const details = { operationId: 'op_1' };
    const holdfast = await against([refusal(504, 'PROVIDER_TIMEOUT', details), data({})]);
    const result = await holdfast.topups.create({ userId: 'usr_1', amount: '1.00' }).result();
    expect(!result.ok && result.error).toMatchObject({
      code: 'PROVIDER_TIMEOUT',
      isOutcomeKnown: false,
      idempotencyKey: keys()[0],
    });
    expect(seen()).toHaveLength(1);
  });

  it('is known to have done nothing when the connection was refused', async () => {
    const holdfast = await against([data({})], { maxRetries: 1 });
    await service.stop();
    const result = await holdfast.orders.release('ord_1').result();
    expect(!result.ok && result.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      isOutcomeKnown: true,
      retry: 'later',
      retryable: true,
    });
  });

  it('of a read leaves no outcome unknown', async () => {
    const holdfast = await against([cut], { maxRetries: 0 });
    const result = await holdfast.orders.get('ord_1').result();
    expect(!result.ok && result.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      isOutcomeKnown: true,
      retry: 'later',
    });
  });

  it.each([
    ['a refused connection', undefined, 'CONNECTION_FAILED'],
    ['a busy service', refusal(503, 'SERVICE_UNAVAILABLE'), 'SERVICE_UNAVAILABLE'],
  ])('stays open after %s: the first attempt may have arrived', async (_, second, code) => {
    const stop: Responder = (seen, response) => {
      cut(seen, response);
      if (second === undefined) void service.stop();
    };
    const holdfast = await against([stop, ...(second === undefined ? [] : [second])]);
    const call = holdfast.balances.credit('usr_1', { amount: '1.00' }, { maxRetries: 1 });
    const result = await call.result();
    expect(!result.ok && result.error).toMatchObject({
      code,
      isOutcomeKnown: false,
      retry: 'check-first',
      idempotencyKey: keys()[0],
    });
  });
});

describe('a refusal that says that nothing was done', () => {
  it.each(['RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'ENGINE_UNAVAILABLE'])(
    'is tried again, also without a key: %s',
    async (code) => {
      const holdfast = await against([refusal(503, code), data({})]);
      await holdfast.orders.release('ord_1');
      expect(seen()).toHaveLength(2);
    },
  );

  it.each(['PAYOUTS_PAUSED', 'MARKETPLACE_FROZEN', 'INTERNAL_ERROR', 'VALIDATION_ERROR'])(
    'is not repeated when a person must act first: %s',
    async (code) => {
      const holdfast = await against([refusal(503, code), data({})]);
      const result = await holdfast.withdrawals.commit('wd_1').result();
      expect(!result.ok && result.error.code).toBe(code);
      expect(seen()).toHaveLength(1);
    },
  );

  it('waits for as long as the service requests', async () => {
    const late = refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '1' });
    const holdfast = await against([late, data({})]);
    const startedAt = performance.now();
    await holdfast.users.get('usr_1');
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('is thrown at once when it requests too long a wait', async () => {
    const holdfast = await against([
      refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '3600' }),
      data({}),
    ]);
    const result = await holdfast.users.get('usr_1').result();
    expect(!result.ok && result.error).toMatchObject({ retryAfterMs: 3_600_000, retryable: true });
    expect(seen()).toHaveLength(1);
  });

  it('is retried maxRetries times and no more', async () => {
    const holdfast = await against([refusal(503, 'SERVICE_UNAVAILABLE')]);
    expect((await holdfast.users.get('usr_1', { maxRetries: 2 }).result()).ok).toBe(false);
    expect(seen()).toHaveLength(3);
    expect((await holdfast.users.get('usr_1', { maxRetries: 0 }).result()).ok).toBe(false);
    expect(seen()).toHaveLength(4);
  });

  it('gets the first response when the first request is still running', async () => {
    const holdfast = await against([
      cut,
      refusal(409, 'IDEMPOTENCY_KEY_IN_PROGRESS'),
      data({ available: '1.00' }),
    ]);
    expect(await holdfast.balances.credit('usr_1', { amount: '1.00' })).toEqual({
      available: '1.00',
    });
    expect(new Set(keys()).size).toBe(1);
  });
});

describe('a signal', () => {
  it('ends a call, and its waiting for the next attempt', async () => {
    const holdfast = await against([silence]);
    const slow = holdfast.orders
      .release('ord_1', {}, { signal: AbortSignal.timeout(500) })
      .result();
    const result = await slow;
    expect(!result.ok && result.error).toMatchObject({ code: 'ABORTED', isOutcomeKnown: false });
    await service.stop();
    const busy = await against([refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '30' })]);
    const startedAt = performance.now();
    const given = await busy.users.get('usr_1', { signal: AbortSignal.timeout(1_000) }).result();
    expect(!given.ok && given.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const never = await busy.users.get('usr_1', { signal: AbortSignal.abort() }).result();
    expect(!never.ok && never.error.code).toBe('ABORTED');
  });
});
