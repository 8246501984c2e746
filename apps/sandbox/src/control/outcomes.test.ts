import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPayin, aPayout, openSandbox, type Sandbox, send } from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: 3_600, payinDelaySeconds: 60 });
});
afterAll(() => sandbox.stop());

const payout = async (fields: object = {}) =>
  (await sandbox.api('POST', '/payouts', aPayout(fields))).json;
const payin = async () => (await sandbox.api('POST', '/payins', aPayin())).json;
const decide = (what: string, code: string, status: string) =>
  sandbox.control('POST', `/${what}/${code}`, { status });
const statusOf = async (path: string) => (await sandbox.api('GET', path)).json.status;
const available = async () => (await sandbox.api('GET', '/me/balance')).json.available;

describe('a payout that is on its way', () => {
  it.each([
    ['COMPLETED', -20.05],
    ['FAILED', 0],
    ['CANCELED', 0],
  ])('becomes %s when control says so, by our own code', async (status, difference) => {
    const before = await available();
    const { id, code } = await payout({ commit: true });
    const response = await decide('payouts', code, status);
    expect([response.status, response.json]).toEqual([200, { id, code, status }]);
    expect(await statusOf(`/payouts/${id}`)).toBe(status);
    expect(await available()).toBeCloseTo(before + difference, 6);
    await sandbox.control('POST', '/clock/advance', { seconds: 3_600 });
    expect(await statusOf(`/payouts/${id}`)).toBe(status);
  });

  it('is also moved on when it waits for its recipient', async () => {
    const { id, code } = await payout({ airtmUserEmail: 'signup@example.com', commit: true });
    expect((await decide('payouts', code, 'COMPLETED')).status).toBe(200);
    expect(await statusOf(`/payouts/${id}`)).toBe('COMPLETED');
  });

  it('keeps its final status: the same one is accepted again, another is refused', async () => {
    const { code } = await payout({ commit: true });
    await decide('payouts', code, 'COMPLETED');
    const before = await available();
    expect((await decide('payouts', code, 'COMPLETED')).status).toBe(200);
    const other = await decide('payouts', code, 'FAILED');
    expect([other.status, other.json.message]).toEqual([
      409,
      'the payment is COMPLETED and cannot change to FAILED',
    ]);
    expect(await available()).toBe(before);
  });
});

describe('a payout before its commit', () => {
  it.each(['COMPLETED', 'FAILED'])(
    'is %s only after the commit, even if the recipient’s name means another end',
    async (end) => {
      const name = end === 'COMPLETED' ? 'fails' : 'maria';
      const { id, code } = await payout({ airtmUserEmail: `${name}@example.com` });
      expect((await decide('payouts', code, end)).json).toEqual({
        id,
        code,
        status: 'CREATED',
        outcome: end,
      });
      await sandbox.api('POST', `/payouts/${id}/commit`);
      expect(await statusOf(`/payouts/${id}`)).toBe('PENDING');
      await sandbox.control('POST', '/clock/advance', { seconds: 3_600 });
      expect(await statusOf(`/payouts/${id}`)).toBe(end);
    },
  );

  it('is canceled at once, without money coming from nowhere', async () => {
    const before = await available();
    const { id, code } = await payout();
    await decide('payouts', code, 'CANCELED');
    expect(await statusOf(`/payouts/${id}`)).toBe('CANCELED');
    expect(await available()).toBe(before);
  });
});

describe('a payin', () => {
  it.each([
    ['CONFIRMED', 49.65],
    ['FAILED', 0],
    ['CANCELED', 0],
  ])('becomes %s when control says so', async (status, difference) => {
    const before = await available();
    const { id, code } = await payin();
    expect((await decide('payins', code, status)).json).toEqual({ id, code, status });
    expect(await statusOf(`/payins/${id}`)).toBe(status);
    expect(await available()).toBeCloseTo(before + difference, 6);
    const shown = (await sandbox.api('GET', `/payins/${id}`)).json;
    expect('failureReason' in shown).toBe(status === 'FAILED');
  });

  it('that is being processed ends as control says, and is no longer canceled', async () => {
    const { id, code } = await payin();
    await send('POST', `${sandbox.url}/payin/${id}/confirm`);
    expect(await statusOf(`/payins/${id}`)).toBe('PROCESSING');
    expect((await decide('payins', code, 'CANCELED')).status).toBe(409);
    await decide('payins', code, 'FAILED');
    await sandbox.control('POST', '/clock/advance', { seconds: 60 });
    expect(await statusOf(`/payins/${id}`)).toBe('FAILED');
  });
});

describe('a payment that is taken back', () => {
  const act = (path: string) => sandbox.control('POST', path);

  it('is a confirmed payin, whole, whose fee stays; it comes again when the case is won', async () => {
    const before = await available();
    const { id, code } = await payin();
    expect((await act(`/payins/${code}/reverse`)).status).toBe(409);
    await decide('payins', code, 'CONFIRMED');
    const reversed = await act(`/payins/${code}/reverse`);
    expect(reversed.json).toEqual({ id, code, status: 'REVERSED' });
    expect(await available()).toBeCloseTo(before - 0.6, 6);
    expect((await act(`/payins/${code}/reverse`)).status).toBe(409);
    expect((await decide('payins', code, 'FAILED')).status).toBe(409);
    expect((await act(`/payins/${code}/reinstate`)).json.status).toBe('CONFIRMED');
    expect(await available()).toBeCloseTo(before + 49.65, 6);
    expect((await act(`/payins/${code}/reinstate`)).status).toBe(409);
    expect((await act('/payins/nowhere/reverse')).status).toBe(404);
  });

  it('may leave the balance below zero, as with the vendor', async () => {
    const { code } = await payin();
    await decide('payins', code, 'CONFIRMED');
    await sandbox.control('POST', '/payment', { balance: '10' });
    await act(`/payins/${code}/reverse`);
    expect(await available()).toBe(-40.25);
    const { json } = await sandbox.control('GET', '/payment');
    expect(json).toMatchObject({ balance: '-40.25' });
    await sandbox.control('POST', '/payment', { balance: '1000000' });
  });

  it('is a completed payout, which then shows as failed', async () => {
    const before = await available();
    const { id, code } = await payout({ commit: true });
    expect((await act(`/payouts/${code}/return`)).status).toBe(409);
    await decide('payouts', code, 'COMPLETED');
    expect(await available()).toBeCloseTo(before - 20.05, 6);
    expect((await act(`/payouts/${code}/return`)).json).toEqual({ id, code, status: 'FAILED' });
    expect(await available()).toBeCloseTo(before, 6);
    expect((await act(`/payouts/${code}/return`)).status).toBe(409);
  });
});

describe('an outcome', () => {
  it.each(['payins', 'payouts'])(
    'for %s is refused when the code is unknown or the status does not fit',
    async (what) => {
      expect((await decide(what, 'unknown', 'FAILED')).status).toBe(404);
      const { code } = what === 'payins' ? await payin() : await payout();
      expect((await decide(what, code, 'PENDING')).status).toBe(400);
      expect((await decide(what, code, what === 'payins' ? 'COMPLETED' : 'CONFIRMED')).status).toBe(
        400,
      );
      expect(await statusOf(`/${what}/by-code/${code}`)).toBe('CREATED');
    },
  );
});
