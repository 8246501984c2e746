import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aPayin,
  expectRefusal,
  openSandbox,
  type Sandbox,
  send,
} from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());

const create = (fields: object = {}) => sandbox.api('POST', '/payins', aPayin(fields));
const press = (id: string, button: string) => send('POST', `${sandbox.url}/payin/${id}/${button}`);
const available = async () => (await sandbox.api('GET', '/me/balance')).json.available;
const effects = async (code: string) => {
  const { json } = await sandbox.control('GET', '/journal');
  return json.entries.filter((entry) => entry.code === code).map(({ effect }) => effect);
};

describe('a payin', () => {
  it('is created open, as the vendor shows it', async () => {
    const items = [
      { description: 'Seats', amount: 0.1, quantity: 3 },
      { description: 'Table', amount: 19.99, quantity: 1 },
    ];
    const body = aPayin({ amount: 20.29, items });
    const { status, json } = await sandbox.api('POST', '/payins', body);
    expect(status).toBe(200);
    expect(json).toEqual({
      ...body,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'CREATED',
      netAmount: 19.99,
      airtmFee: 0.3,
      items: items.map((item) => ({ ...item, id: expect.any(String), payinId: json.id })),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: json['createdAt'],
    });
    expect((await sandbox.api('GET', `/payins/${json.id}`)).json).toEqual(json);
    expect((await sandbox.api('GET', `/payins/by-code/${json.code}`)).json).toEqual(json);
    expect(await effects(json.code)).toEqual(['payment.payin.create']);
  });

  it('has a code that no other payin has', async () => {
    const { json } = await create();
    expectRefusal(await create({ code: json.code }), 409, '415029');
    await sandbox.api('DELETE', `/payins/${json.id}`);
    expectRefusal(await create({ code: json.code }), 409, '415029');
  });

  it('increases the enterprise balance when it is confirmed, once', async () => {
    const before = await available();
    const { json } = await create();
    expect(await available()).toBe(before);
    expect((await press(json.id, 'confirm')).json).toEqual({ status: 'CONFIRMED' });
    expect((await press(json.id, 'confirm')).status).toBe(409);
    expect(await available()).toBeCloseTo(before + 49.65, 6);
    expect((await sandbox.api('GET', `/payins/${json.id}`)).json.status).toBe('CONFIRMED');
    expect(await effects(json.code)).toEqual(['payment.payin.create', 'payment.payin.confirm']);
  });

  it.each([
    ['1.00', '0.10', 50.25, 0.6],
    ['1.00', '0.10', 0.05, 0.05],
    ['2.90', '0.30', 10, 0.59],
    ['0', '0', 50.25, 0],
  ])('costs %s percent and %s of its amount', async (percent, fixed, amount, fee) => {
    await sandbox.control('POST', '/payment', { payinFeePercent: percent, payinFeeFixed: fixed });
    const items = [{ description: 'Top-up', amount, quantity: 1 }];
    const { json } = await create({ amount, items });
    expect([json['airtmFee'], json['netAmount']]).toEqual([fee, expect.closeTo(amount - fee, 6)]);
    const before = await available();
    await press(json.id, 'confirm');
    expect(await available()).toBeCloseTo(before + amount - fee, 6);
    await sandbox.control('POST', '/payment', { payinFeePercent: '1', payinFeeFixed: '0.1' });
  });

  it('is canceled by its creator while it is open, and closed afterwards', async () => {
    const { json } = await create();
    const canceled = await sandbox.api('DELETE', `/payins/${json.id}`);
    expect([canceled.status, canceled.json.status]).toEqual([200, 'CANCELED']);
    expectRefusal(await sandbox.api('DELETE', `/payins/${json.id}`), 409, '415032');
    expect(await effects(json.code)).toEqual(['payment.payin.create', 'payment.payin.cancel']);
    const paid = await create();
    await press(paid.json.id, 'confirm');
    expectRefusal(await sandbox.api('DELETE', `/payins/${paid.json.id}`), 409, '415030');
  });

  it('expires after fifteen days of world time, and not before', async () => {
    const { json } = await create();
    const status = async () => (await sandbox.api('GET', `/payins/${json.id}`)).json;
    await sandbox.control('POST', '/clock/advance', { seconds: 15 * 86_400 - 60 });
    expect((await status()).status).toBe('CREATED');
    await sandbox.control('POST', '/clock/advance', { seconds: 61 });
    expect(await status()).toMatchObject({
      status: 'CANCELED',
      failureReason: 'The payment was not confirmed in time.',
    });
  });

  it('stays in PROCESSING for as long as the setting says', async () => {
    await sandbox.control('POST', '/payment', { payinDelaySeconds: 60 });
    const { json } = await create();
    const before = await available();
    expect((await press(json.id, 'confirm')).json).toEqual({ status: 'PROCESSING' });
    await sandbox.control('POST', '/clock/advance', { seconds: 58 });
    expect((await sandbox.api('GET', `/payins/${json.id}`)).json.status).toBe('PROCESSING');
    expectRefusal(await sandbox.api('DELETE', `/payins/${json.id}`), 409, '415030');
    expect(await available()).toBe(before);
    await sandbox.control('POST', '/clock/advance', { seconds: 3 });
    expect((await sandbox.api('GET', `/payins/${json.id}`)).json.status).toBe('CONFIRMED');
    expect(await available()).toBeCloseTo(before + 49.65, 6);
    await sandbox.control('POST', '/payment', { payinDelaySeconds: 0 });
  });

  it('is not found under an unknown id or code', async () => {
    expectRefusal(await sandbox.api('GET', '/payins/unknown'), 404, '415031');
    expectRefusal(await sandbox.api('GET', '/payins/by-code/unknown'), 404, '415031');
    expectRefusal(await sandbox.api('DELETE', '/payins/unknown'), 404, '415031');
  });
});

describe('the body of a new payin', () => {
  const item = { description: 'Top-up', amount: 50.25, quantity: 1 };
  it.each([
    ['a stray property', { more: 1 }, 'property more should not exist'],
    ['a stray property of an item', { items: [{ ...item, sku: 1 }] }, /sku should not exist/],
    ['no code', { code: undefined }, /^code must be/],
    ['an empty code', { code: '' }, /^code must not/],
    ['a description that is too long', { description: 'x'.repeat(251) }, /^description is longer/],
    ['an amount in text', { amount: '50.25' }, /^amount must be a number/],
    ['no items', { items: [] }, /^items must be/],
    ['half a quantity', { items: [{ ...item, quantity: 1.5 }] }, /^items\[0\].quantity/],
    ['a return address that is a script', { confirmationUri: 'javascript:alert(1)' }, /http/],
    ['a return address that is none', { cancelUri: 'https://' }, /http/],
  ])('is refused with %s', async (_, fields, problem) => {
    const response = await create(fields);
    expectRefusal(response, 400, '415906');
    expect((response.json.data['errors'] as string[])[0]).toMatch(problem);
  });

  // Read as a double this would be 50.25; the digits are what counts.
  it.each(['50.2500000000000000001', '50.251', '5025e-2'])(
    'has an amount of at most two decimals: not %s',
    async (digits) => {
      const body = JSON.stringify(aPayin()).replace('"amount":50.25', `"amount":${digits}`);
      expectRefusal(await sandbox.api('POST', '/payins', body), 400, '415906');
    },
  );

  it('has an amount inside the window', async () => {
    expectRefusal(await create({ amount: 0 }), 422, '415057');
    expectRefusal(await create({ amount: -1 }), 422, '415057');
    expectRefusal(await create({ amount: 1_000_000_000.01 }), 422, '415058');
  });

  it('has an amount that is the sum of its items, to the cent', async () => {
    expectRefusal(await create({ amount: 50.24 }), 422, '415903');
    expectRefusal(await create({ items: [{ ...item, quantity: 2 }] }), 422, '415903');
    // 0.1 + 0.2 is not 0.3 for a double.
    const items = [
      { ...item, amount: 0.1 },
      { ...item, amount: 0.2 },
    ];
    expect((await create({ amount: 0.3, items })).status).toBe(200);
  });

  it('is JSON', async () => {
    expectRefusal(await sandbox.api('POST', '/payins', '{"code":'), 400, '415901');
    expectRefusal(await sandbox.api('POST', '/payins', '[]'), 400, '415906');
  });
});

describe('the list of payins', () => {
  it('pages by cursors, newest first, and filters by status', async () => {
    await sandbox.control('POST', '/reset');
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1) ids.unshift((await create()).json.id);
    const page = async (query: string) => (await sandbox.api('GET', `/payins?${query}`)).json;
    const first = await page('perPage=10');
    expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect([first.startCursor, first.endCursor]).toEqual([ids[0], ids[9]]);
    const second = await page(`perPage=10&after=${first.endCursor}`);
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(10, 20));
    const back = await page(`perPage=10&before=${second.startCursor}`);
    expect(back.items.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    const last = await page(`perPage=10&after=${second.endCursor}`);
    expect(last.items).toHaveLength(5);
    const nearest = await page(`perPage=10&before=${last.startCursor}`);
    expect(nearest.items.map(({ id }) => id)).toEqual(ids.slice(10, 20));
    expect(await page(`after=${last.endCursor}`)).toEqual({ items: [] });
    await sandbox.api('DELETE', `/payins/${ids[3]}`);
    const canceled = await page('status=CANCELED');
    expect(canceled.items.map(({ id }) => id)).toEqual([ids[3]]);
  });

  it.each(['perPage=9', 'perPage=1001', 'perPage=x', 'status=OPEN', 'after=unknown'])(
    'refuses %s',
    async (query) => {
      expectRefusal(await sandbox.api('GET', `/payins?${query}`), 400, '415906');
    },
  );
});
