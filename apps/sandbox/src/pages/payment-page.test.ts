import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aPayin, openSandbox, type Sandbox, send } from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/payment', { payinDelaySeconds: 0 }));

/** The headers of a browser for a page and for a form. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const FORM = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded' };

const create = async (fields: object = {}) =>
  (await sandbox.api('POST', '/payins', aPayin(fields))).json;
const open = (id: string) => send('GET', `${sandbox.url}/payin/${id}`, undefined, BROWSER);
const press = (id: string, button: string, headers: Record<string, string> = FORM) =>
  send('POST', `${sandbox.url}/payin/${id}/${button}`, undefined, headers);
const statusOf = async (id: string) => (await sandbox.api('GET', `/payins/${id}`)).json.status;

describe('the payment page', () => {
  it('shows sum, description, merchant and reference, with two plain forms', async () => {
    const items = [
      { description: 'Seats', amount: 617.25, quantity: 2 },
      { description: 'Fee', amount: 0.06, quantity: 1 },
    ];
    const { id, code } = await create({ amount: 1234.56, items, description: 'Tea & <b>cake</b>' });
    const { status, text, headers } = await open(id);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of ['$1,234.56', 'Pay shop.example.com', 'Seats × 2', '$1,234.50', code])
      expect(text).toContain(part);
    expect(text).toContain('Tea &amp; &lt;b&gt;cake&lt;/b&gt;');
    expect(text).not.toContain('<b>cake');
    expect(text).toContain(`<form method="post" action="/payin/${id}/confirm">`);
    expect(text).toContain(`<form method="post" action="/payin/${id}/cancel">`);
    expect(text).not.toContain('<script');
  });

  it('loads nothing from elsewhere and cannot be framed by another site', async () => {
    const { text, headers } = await open((await create()).id);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\/(?!shop\.example)/);
    expect(text).not.toMatch(/@import|url\(/);
  });

  it('returns 404 for an unknown payment', async () => {
    expect((await open('unknown')).status).toBe(404);
    expect((await open('unknown')).text).toContain('Payment not found');
    expect((await press('unknown', 'confirm')).status).toBe(404);
    const json = await send('POST', `${sandbox.url}/payin/unknown/cancel`);
    expect([json.status, json.json.code]).toEqual([404, '415031']);
  });
});

describe('a browser', () => {
  it.each([
    ['pays', 'confirmation', 'confirm', 'back?from=pay&', 'CONFIRMED'],
    ['cancels', 'cancel', 'cancel', 'canceled?', 'CANCELED'],
  ])('that %s is sent to the %s address with the code', async (_, __, button, to, status) => {
    const { id, code } = await create();
    const response = await press(id, button);
    const address = `https://shop.example.com/${to}code=${code}`;
    expect([response.status, response.headers.get('location')]).toEqual([303, address]);
    expect(await statusOf(id)).toBe(status);
  });

  it.each([
    ['confirm', 'Payment complete', 'back?from=pay&amp;code='],
    ['cancel', 'Payment canceled', 'canceled?code='],
  ])(
    'that comes back after %s finds the result and a link back, and no form',
    async (button, title, way) => {
      const { id, code } = await create();
      await press(id, button);
      const { text } = await open(id);
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(text).not.toContain('<form');
      expect(text).toContain(`href="https://shop.example.com/${way}${code}"`);
      for (const again of ['confirm', 'cancel']) {
        const response = await press(id, again);
        expect(response.status).toBe(409);
        expect(response.text).toContain(title);
      }
      expect(await statusOf(id)).toBe(button === 'confirm' ? 'CONFIRMED' : 'CANCELED');
    },
  );

  it('that waits sees a page which loads itself again, then the end', async () => {
    await sandbox.control('POST', '/payment', { payinDelaySeconds: 60 });
    const { id } = await create();
    await press(id, 'confirm');
    const waiting = await open(id);
    expect(waiting.text).toContain('Payment processing');
    expect(waiting.text).toContain('http-equiv="refresh"');
    await sandbox.control('POST', '/clock/advance', { seconds: 60 });
    expect((await open(id)).text).toContain('Payment complete');
  });

  it('sees why a payment failed or expired', async () => {
    const failed = await create();
    await sandbox.control('POST', `/payins/${failed.code}`, { status: 'FAILED' });
    expect((await open(failed.id)).text).toContain('The payer has not enough balance.');
    const late = await create();
    await sandbox.control('POST', '/clock/advance', { seconds: 15 * 86_400 });
    expect((await open(late.id)).text).toContain('was not confirmed in time');
    expect((await press(late.id, 'confirm')).status).toBe(409);
  });
});

describe('a program', () => {
  it.each([
    ['JSON', { accept: 'application/json' }],
    ['anything', { accept: '*/*' }],
  ])('that requests %s gets the status', async (_, headers) => {
    const paid = await create();
    expect(await press(paid.id, 'confirm', headers)).toMatchObject({
      status: 200,
      json: { status: 'CONFIRMED' },
    });
    const canceled = await create();
    expect(await press(canceled.id, 'cancel', headers)).toMatchObject({
      status: 200,
      json: { status: 'CANCELED' },
    });
    const again = await press(paid.id, 'cancel', headers);
    expect(again.status).toBe(409);
    expect(again.json).toMatchObject({ status: 'CONFIRMED', code: '415030' });
  });

  it('that pays twenty times at once pays once', async () => {
    const { id } = await create();
    const before = (await sandbox.api('GET', '/me/balance')).json.available;
    const all = Array.from({ length: 20 }, () => press(id, 'confirm', {}));
    const paid = (await Promise.all(all)).filter(({ status }) => status === 200);
    expect(paid).toHaveLength(1);
    const after = (await sandbox.api('GET', '/me/balance')).json.available;
    expect(after - before).toBeCloseTo(49.65, 6);
  });
});
