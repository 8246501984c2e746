import { randomUUID } from 'node:crypto';
import { statusOf } from '@holdfast/contract/errors';
import { surfaceA } from '@holdfast/contract/surface-a';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import { afterAll, describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import {
  actionsOf,
  availableOf,
  eventsOf,
  openTopupWorld,
  requestTopup,
  useTopupWorld,
} from '../../testing/topups.ts';
import { getTopup } from './read-topups.ts';

const { world, market } = useTopupWorld({ HOLDFAST_RETURN_HOSTS: 'shop.example,*.pay.example' });
afterAll(() => world.engine.runWorker());

const payinsOf = async (id: string) =>
  (await world.sandbox.journal()).filter(({ code }) => code === id).map(({ effect }) => effect);

describe('a new top-up', () => {
  it('has a payment page, a pay-in under our id, its events and its audit entries', async () => {
    const returnUrl = 'https://shop.example/thanks?a=1';
    const topup = await requestTopup(world, market, { returnUrl, metadata: { cart: 7 } });
    expect(topup).toMatchObject({
      status: 'TOPUP_AWAITING_USER_CONFIRMATION',
      returnUrl,
      cancelUrl: null,
      metadata: { cart: 7 },
      failureReason: null,
    });
    expect(topup.confirmationUri).toBe(`${world.sandbox.url}/payin/${topup.providerPayinId}`);
    expect(await payinsOf(topup.id)).toEqual(['payment.payin.create']);
    expect(await eventsOf(world, topup.id)).toEqual([
      'topup.created',
      'topup.confirmation_required',
    ]);
    expect(await actionsOf(world, topup.id)).toEqual([
      'TOPUP_CREATED',
      'TOPUP_AWAITING_USER_CONFIRMATION',
    ]);
    expect(await availableOf(world, market, topup.userId)).toBe('0.00');
  });

  it('sends its payer back through our own callback', async () => {
    const { id, providerPayinId } = await requestTopup(world, market);
    const response = await fetch(
      `${world.sandbox.url}/payment-provider/v2/payins/${providerPayinId}`,
      { headers: { authorization: `Basic ${Buffer.from('key:secret').toString('base64')}` } },
    );
    const callback = `http://localhost:4400/api/v1/topups/${id}/callback`;
    expect(await response.json()).toMatchObject({
      confirmationUri: callback,
      cancelUri: `${callback}?from=cancel`,
    });
  });

  it('may be in USDC, which the provider carries as dollars', async () => {
    expect(await requestTopup(world, market, { currency: 'USDC' })).toMatchObject({
      currency: 'USDC',
    });
  });
});

describe('a top-up is refused', () => {
  it.each([
    ['below the limit', { amount: '0.99' }, 'AMOUNT_OUT_OF_RANGE'],
    ['above the limit', { amount: '50000.01' }, 'AMOUNT_OUT_OF_RANGE'],
    ['in XLM', { currency: 'XLM' }, 'CURRENCY_NOT_SUPPORTED'],
    ['with an amount that is none', { amount: '1.001' }, 'VALIDATION_ERROR'],
    ['with zero', { amount: '0.00' }, 'VALIDATION_ERROR'],
    ['with a link without https', { returnUrl: 'http://shop.example/' }, 'VALIDATION_ERROR'],
    ['with a link elsewhere', { returnUrl: 'https://evil.example/' }, 'VALIDATION_ERROR'],
    ['with a look-alike host', { cancelUrl: 'https://notpay.example/' }, 'VALIDATION_ERROR'],
    [
      'with a host as a name',
      { returnUrl: 'https://shop.example@evil.example/' },
      'VALIDATION_ERROR',
    ],
    ['with a password', { returnUrl: 'https://a:b@shop.example/' }, 'VALIDATION_ERROR'],
    ['for an unknown user', { userId: 'usr_00000000000000000000000000' }, 'USER_NOT_FOUND'],
  ] as const)('%s', async (_, input, code) => {
    const before = await world.rows('select from topup');
    await expect(requestTopup(world, market, input)).rejects.toSatisfy(isRefusal(code));
    expect(await world.rows('select from topup')).toHaveLength(before.length);
  });

  it('for a user who is not active, and for one of another marketplace', async () => {
    const userId = await market.user();
    await world.rows(`update users set status = 'SUSPENDED' where id = $1`, [userId]);
    const request = (id: UserId) => requestTopup(world, market, { userId: id });
    await expect(request(userId)).rejects.toSatisfy(isRefusal('USER_NOT_ACTIVE'));
    const theirs = await (await world.market()).user();
    await expect(request(theirs)).rejects.toSatisfy(isRefusal('USER_NOT_FOUND'));
  });

  it('except that a subdomain of a wildcard host is accepted', async () => {
    const cancelUrl = 'https://eu.pay.example/gone';
    expect(await requestTopup(world, market, { cancelUrl })).toMatchObject({ cancelUrl });
  });
});

describe('when the reply is lost', () => {
  it.each(['drop-before', 'error-before', 'drop-after', 'error-after', 'garbage'])(
    '%s: the caller gets the top-up or 504, and exactly one pay-in exists',
    async (fault) => {
      await world.sandbox.arm('payment', 'payin.create', fault);
      const userId = await market.user();
      const result = await requestTopup(world, market, { userId }).catch((error: Error) => error);
      const [row] = await world.rows<{ id: TopupId }>('select id from topup where user_id = $1', [
        userId,
      ]);
      const id = row?.id as TopupId;
      if (result instanceof Error) {
        expect(result).toMatchObject({ code: 'PROVIDER_TIMEOUT' });
        const [operation] = await world.rows('select id from operation where resource_id = $1', [
          id,
        ]);
        expect(result).toMatchObject({ details: { operationId: operation?.['id'] } });
        expect(await world.engine.runWorker()).toBe(0);
      }
      expect(await getTopup(world.app, market.call, id)).toMatchObject({
        status: 'TOPUP_AWAITING_USER_CONFIRMATION',
        confirmationUri: expect.stringContaining('/payin/'),
      });
      expect(await payinsOf(id)).toEqual(['payment.payin.create']);
    },
  );

  it('a repeat under its key starts nothing, and returns the current top-up', async () => {
    await world.sandbox.arm('payment', 'payin.create', 'drop-before');
    const body = { userId: await market.user(), amount: '50.00' };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => market.send('POST', '/topups', { body, headers });
    const first = await send();
    expect(first.status).toBe(504);
    expect((await send()).json.error.details).toEqual(first.json.error.details);
    await world.engine.runWorker();
    const [one, other] = [await send(), await send()];
    expect(one.status).toBe(201);
    expect(one.text).toBe(other.text);
    const created = await world.rows('select id from topup where user_id = $1', [body.userId]);
    expect(created).toEqual([{ id: one.json.data.data.id }]);
  });
});

it('a refusal by the provider fails the top-up, which states the reason', async () => {
  await world.sandbox.arm('payment', 'payin.create', 'reject');
  const topup = await requestTopup(world, market);
  expect(topup).toMatchObject({
    status: 'TOPUP_FAILED',
    failureReason: expect.any(String),
    errorCode: expect.any(String),
    providerPayinId: null,
  });
  expect(await payinsOf(topup.id)).toEqual([]);
  expect(await eventsOf(world, topup.id)).toEqual(['topup.created', 'topup.failed']);
  expect(await world.rows('select from topup_poll where topup_id = $1', [topup.id])).toEqual([]);
});

it('top-ups of one user are limited per minute, as configured', async () => {
  const strict = await openTopupWorld({ HOLDFAST_TOPUPS_PER_USER: '2' });
  try {
    const shop = await strict.market();
    const [one, other] = [await shop.user(), await shop.user()];
    const request = (userId: string) =>
      shop.send('POST', '/topups', { body: { userId, amount: '10.00' } });
    expect([(await request(one)).status, (await request(one)).status]).toEqual([201, 201]);
    const limited = await request(one);
    expect(limited.status).toBe(statusOf('RATE_LIMITED', surfaceA.createTopup));
    expect(limited.headers['retry-after']).toBeDefined();
    expect((await request(other)).status).toBe(201);
  } finally {
    await strict.close();
  }
});
