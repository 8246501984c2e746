import { Keypair } from '@stellar/stellar-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../faults.ts';
import { aPayin, aPayout, openSandbox, type Sandbox, send } from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.control('POST', '/reset'));

const post = (path: string, body: unknown) => sandbox.control('POST', path, body);
const get = async (path: string) => (await sandbox.control('GET', path)).json;

describe('faults', () => {
  const fault = { provider: 'payment', operation: 'payin.create', kind: 'drop-after' };

  it('are armed, listed, counted down and cleared', async () => {
    expect((await post('/faults', fault)).json).toEqual({ fault: { ...fault, times: 1 } });
    const refund = { provider: 'escrow', operation: 'resolve', kind: 'reject', times: 3 };
    await post('/faults', refund);
    expect((await get('/faults')).faults).toEqual([{ ...fault, times: 1 }, refund]);
    await sandbox.api('POST', '/payins', aPayin()).catch(() => undefined);
    expect((await get('/faults')).faults).toEqual([refund]);
    expect((await sandbox.control('DELETE', '/faults')).json).toEqual({ faults: [] });
    expect((await get('/faults')).faults).toEqual([]);
  });

  it('exist for every operation, with some kind that can strike it', async () => {
    for (const [provider, operations] of Object.entries(FAULT_OPERATIONS))
      for (const operation of operations) {
        const own: Record<string, string> = { webhook: 'drop-webhook', read: 'stale' };
        const kind = own[operation] ?? 'drop-after';
        expect((await post('/faults', { provider, operation, kind })).status).toBe(200);
      }
    for (const kind of Object.keys(FAULT_KINDS)) {
      const operation = /webhook/.test(kind) ? 'webhook' : kind === 'stale' ? 'read' : 'deploy';
      expect((await post('/faults', { provider: 'escrow', operation, kind })).status).toBe(200);
    }
  });

  it.each([
    ['provider', { provider: 'bank' }],
    ['operation', { operation: 'payin.confirm' }],
    ['kind', { kind: 'explode' }],
    ['the fault kind drop-webhook', { kind: 'drop-webhook' }],
    ['the fault kind drop-after', { operation: 'webhook', kind: 'drop-after' }],
    ['the fault kind no-contract-id', { kind: 'no-contract-id' }],
    ['the fault kind stale', { kind: 'stale' }],
    ['the fault kind reject', { provider: 'escrow', operation: 'read', kind: 'reject' }],
    ['times', { times: 0 }],
    ['times', { times: 1.5 }],
    ['times', { times: 'many' }],
    ['unknown field more', { more: 1 }],
  ])('are refused, starting with %s: %j', async (start, fields) => {
    const response = await post('/faults', { ...fault, ...fields });
    expect(response.status).toBe(400);
    expect(response.json.message).toMatch(new RegExp(`^${start}\\b`));
    expect((await get('/faults')).faults).toEqual([]);
  });
});

describe('the journal', () => {
  it('has every effect in order, from the beginning or after a number', async () => {
    const { code } = (await sandbox.api('POST', '/payins', aPayin())).json;
    await post(`/payins/${code}`, { status: 'CONFIRMED' });
    const { entries } = await get('/journal');
    expect(entries).toEqual([
      { seq: 1, at: expect.any(String), effect: 'payment.payin.create', code, amount: '50.25' },
      {
        seq: 2,
        at: expect.any(String),
        effect: 'payment.payin.confirm',
        code,
        amount: '50.25',
        fee: '0.60',
      },
    ]);
    expect((await get('/journal?after=1')).entries).toEqual(entries.slice(1));
    expect((await sandbox.control('GET', '/journal?after=x')).status).toBe(400);
  });
});

describe('the clock', () => {
  it('is set forward and read', async () => {
    expect((await get('/clock')).offsetMs).toBe(0);
    const { json } = await post('/clock/advance', { seconds: 3_600 });
    expect(json.offsetMs).toBe(3_600_000);
    expect(Date.parse(json.now) - Date.now()).toBeGreaterThan(3_590_000);
    await post('/clock/advance', { seconds: 0.5 });
    expect((await get('/clock')).offsetMs).toBe(3_600_500);
    for (const seconds of [-1, '', 'soon', null, undefined, 1e12])
      expect((await post('/clock/advance', { seconds })).status).toBe(400);
  });
});

describe('the ledger', () => {
  it('is given accounts and money', async () => {
    const address = Keypair.random().publicKey();
    const funded = await post('/ledger/fund', { address, xlm: '25.5' });
    expect(funded.json).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      ledger: expect.any(Number),
    });
    await post('/ledger/deposit', { address, asset: 'XLM', amount: 4.5 });
    expect(sandbox.world.ledger.account(address)?.balance).toBe(300_000_000n);
    const usdc = { address, asset: 'USDC', amount: '12.3456789' };
    const refused = await post('/ledger/deposit', usdc);
    expect(refused.status).toBe(422);
    expect(refused.json.message).toMatch(/trust/);
    sandbox.world.ledger.ensureAccount(address, { hasUsdc: true });
    expect((await post('/ledger/deposit', usdc)).status).toBe(200);
    expect(sandbox.world.ledger.usdcOf(address)).toBe(123_456_789n);
  });

  it('holds more or less than its payments add up to, when control sets it', async () => {
    const address = Keypair.random().publicKey();
    await post('/ledger/fund', { address, xlm: '25' });
    sandbox.world.ledger.ensureAccount(address, { hasUsdc: true });
    const more = { address, asset: 'USDC', amount: '1.5', direction: 'more' };
    expect((await post('/ledger/drift', more)).status).toBe(200);
    expect(sandbox.world.ledger.usdcOf(address)).toBe(15_000_000n);
    const less = { address, asset: 'XLM', amount: '5', direction: 'less' };
    expect((await post('/ledger/drift', less)).status).toBe(200);
    expect(sandbox.world.ledger.account(address)?.balance).toBe(200_000_000n);
    const payments = sandbox.world.ledger.archive.payments({
      account: address,
      order: 'asc',
      limit: 9,
    });
    expect(payments.map(({ movement }) => movement.type)).toEqual(['create_account']);
    for (const wrong of [{ amount: '20.1' }, { asset: 'EUR' }, { direction: 'up' }])
      expect([400, 422]).toContain((await post('/ledger/drift', { ...less, ...wrong })).status);
  });

  it.each([
    { address: 'G123' },
    { asset: 'EUR' },
    { amount: '1.00000001' },
    { amount: '-1' },
    { amount: undefined },
    { memo: 'x' },
  ])('refuses %j', async (fields) => {
    const deposit = { address: Keypair.random().publicKey(), asset: 'USDC', amount: '1' };
    expect((await post('/ledger/deposit', { ...deposit, ...fields })).status).toBe(400);
  });
});

describe('settings', () => {
  it('switch the limits of the vendors on and off', async () => {
    expect((await post('/limits', { payment: true })).json).toEqual({
      escrow: false,
      payment: true,
    });
    const { store } = sandbox.world;
    expect([store.get('limits', 'payment'), store.get('limits', 'escrow')]).toEqual([
      true,
      undefined,
    ]);
    expect((await post('/limits', { escrow: 'yes' })).status).toBe(400);
    expect((await post('/limits', { bank: true })).status).toBe(400);
  });

  it('of the payment provider are read and changed one by one', async () => {
    expect(await get('/payment')).toEqual({
      balance: '1000000.00',
      pending: '0.00',
      payinDelaySeconds: 0,
      payoutDelaySeconds: 1,
      payinFeePercent: '1.00',
      payinFeeFixed: '0.10',
    });
    await post('/payment', { balance: '12.5' });
    const { json } = await post('/payment', { payoutDelaySeconds: null });
    expect(json).toMatchObject({
      balance: '12.50',
      payinDelaySeconds: 0,
      payoutDelaySeconds: null,
    });
    const free = await post('/payment', { payinFeePercent: 0, payinFeeFixed: '0' });
    expect(free.json).toMatchObject({ payinFeePercent: '0.00', payinFeeFixed: '0.00' });
    expect((await post('/payment', { balance: '1.001' })).status).toBe(400);
  });
});

describe('webhook targets', () => {
  const secret = 'whsec_c2VjcmV0IQ==';
  const url = 'http://127.0.0.1:1/hook';

  it('are set, and their secrets are never shown', async () => {
    const { text } = await post('/webhooks', { payment: { url, secret, form: 'vendor' } });
    await post('/webhooks', { escrow: { url, secret: 'whsec_any text' } });
    const shown = await sandbox.control('GET', '/webhooks');
    expect(shown.json['targets']).toEqual({ escrow: { url }, payment: { url, form: 'vendor' } });
    await sandbox.api('POST', '/payins', aPayin());
    const all = [text, shown.text, (await sandbox.control('GET', '/webhooks')).text];
    for (const one of all) expect(one).not.toMatch(/secret|whsec|c2VjcmV0/);
    expect(sandbox.world.store.get('webhook-target', 'payment')).toEqual({
      url,
      secret,
      form: 'vendor',
    });
  });

  it.each([
    { payment: { url: 'ftp://x', secret } },
    { payment: { url, secret: 'c2VjcmV0' } },
    { payment: { url, secret: 'whsec_not base64' } },
    { payment: { url, secret, form: 'other' } },
    { payment: { url } },
    { payment: { url, secret, more: 1 } },
    { bank: { url, secret } },
  ])('are refused when wrong: %j', async (body) => {
    const before = sandbox.world.store.get('webhook-target', 'payment');
    expect((await post('/webhooks', body)).status).toBe(400);
    expect(sandbox.world.store.get('webhook-target', 'payment')).toEqual(before);
  });
});

describe('a reset', () => {
  it('deletes everything except webhook targets and the ledger numbering', async () => {
    const payment = { url: 'http://127.0.0.1:1/', secret: 'whsec_c2VjcmV0', form: 'normalised' };
    await post('/webhooks', { payment });
    const { code } = (await sandbox.api('POST', '/payins', aPayin())).json;
    await sandbox.api('POST', '/payouts', aPayout({ commit: true }));
    await post('/ledger/fund', { address: Keypair.random().publicKey(), xlm: '10' });
    await post('/faults', { provider: 'ledger', operation: 'submit', kind: 'reject' });
    await post('/clock/advance', { seconds: 60 });
    await post('/limits', { payment: true });
    expect((await post('/reset', undefined)).status).toBe(200);
    const state = await get('/state');
    const counts = { accounts: 2, contracts: 0, payins: 0, payouts: 0, webhooks: 0, journal: 0 };
    expect(state).toMatchObject({
      counts,
      faults: [],
      balance: { available: '1000000.00', pending: '0.00' },
      clock: { offsetMs: 0 },
    });
    expect(sandbox.world.store.get('webhook-target', 'payment')).toEqual(payment);
    expect(sandbox.world.store.get('limits', 'payment')).toBeUndefined();
    expect((await sandbox.api('POST', '/payins', aPayin({ code }))).status).toBe(200);
    const funded = await post('/ledger/fund', { address: Keypair.random().publicKey(), xlm: '5' });
    expect(funded.status).toBe(200);
  });
});

describe('the input of control', () => {
  it('is JSON or a form; a browser is sent back to the home page', async () => {
    expect((await post('/clock/advance', '{')).status).toBe(400);
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
    const url = `${sandbox.url}/control/clock/advance`;
    const response = await send('POST', url, 'seconds=90', form);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
    expect((await get('/clock')).offsetMs).toBe(90_000);
    const armed = 'at=payment+webhook&kind=drop-webhook&times=2';
    await send('POST', `${sandbox.url}/control/faults`, armed, form);
    expect((await get('/faults')).faults).toEqual([
      { provider: 'payment', operation: 'webhook', kind: 'drop-webhook', times: 2 },
    ]);
  });
});
