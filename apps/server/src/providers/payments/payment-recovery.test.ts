// Replies that no honest provider gives, and that may still come one day: a server that returns
// exactly what the test sets.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@holdfast/kernel/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { httpPaymentProvider, type PaymentProviderSettings } from './payment-provider.http.ts';
import type { PaymentProvider } from './payment-provider.ts';

type Reply = readonly [status: number, body: unknown];

let server: Server;
let script: Record<string, Reply> = {};
let requests: string[] = [];
let warnings: unknown[] = [];
let settings: PaymentProviderSettings;
let provider: PaymentProvider;

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    requests.push(name);
    const [status, body] = script[name] ?? [404, { code: '415902', message: 'not found' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const log = createLog('silent', 'test');
  settings = {
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'key',
    secretKey: 'secret',
    checkoutUrlTemplate: 'https://pay.example/{id}',
    hasBankPayouts: false,
    reversedStatuses: ['REVERSED'],
    timeoutMs: 2_000,
    perMinute: null,
    clock: systemClock,
    log: Object.assign(log, { warn: (fields: unknown) => warnings.push(fields) }),
  };
  provider = httpPaymentProvider(settings);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function replyWith(replies: Record<string, Reply>): void {
  script = replies;
  requests = [];
  warnings = [];
}

const payout = {
  id: 'p1',
  code: 'wd_1',
  status: 'CREATED',
  grossAmount: 5,
  airtmUserEmail: 'a@b.c',
};
const wanted = { code: 'wd_1', recipient: { email: 'a@b.c' }, amountMinor: 500n, note: 'so' };
const tooLow: Reply = [422, { code: '415016', message: 'too low' }];
const BY_CODE = 'GET /payouts/by-code/wd_1';
const COMMIT = 'POST /payouts/p1/commit';
const BY_ID = 'GET /payouts/p1';

describe('a creation', () => {
  it('that is refused after an earlier reply was lost returns the earlier record', async () => {
    replyWith({ 'POST /payouts': tooLow, [BY_CODE]: [200, payout] });
    expect(await provider.createPayout(wanted)).toMatchObject({
      kind: 'done',
      value: { id: 'p1' },
    });
    expect(requests).toEqual(['POST /payouts', BY_CODE]);
  });

  it('that is refused is unknown while the search for its record fails', async () => {
    replyWith({ 'POST /payouts': tooLow, [BY_CODE]: [503, {}] });
    expect(await provider.createPayout(wanted)).toMatchObject({ kind: 'unknown' });
    replyWith({ 'POST /payouts': [401, { code: '415904' }], [BY_CODE]: [401, { code: '415904' }] });
    expect(await provider.createPayout(wanted)).toMatchObject({ kind: 'unknown' });
  });

  it('whose code is taken by a record that cannot be found is unknown', async () => {
    replyWith({ 'POST /payouts': [409, { code: '415056' }] });
    expect(await provider.createPayout(wanted)).toMatchObject({ kind: 'unknown' });
  });

  it('that comes back as something else is a conflict', async () => {
    for (const other of [{ grossAmount: 5.01 }, { airtmUserEmail: 'x@b.c' }, { code: 'wd_2' }]) {
      replyWith({ 'POST /payouts': [200, { ...payout, ...other }] });
      const outcome = await provider.createPayout(wanted);
      expect(outcome).toMatchObject({ kind: 'refused', code: 'code-conflict' });
    }
  });

  it('that comes back unreadable is read from its record', async () => {
    for (const broken of [{}, { ...payout, grossAmount: '5.001' }, { ...payout, status: 7 }, []]) {
      replyWith({ 'POST /payouts': [200, broken], [BY_CODE]: [200, payout] });
      expect(await provider.createPayout(wanted)).toMatchObject({ kind: 'done' });
    }
  });

  it('to a bank is refused here when the provider has no banks', async () => {
    replyWith({});
    const outcome = await provider.createPayout({ ...wanted, recipient: { bankRef: 'DE02' } });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'destination-not-supported' });
    expect(requests).toEqual([]);
  });

  it('of an amount that no number carries is refused here', async () => {
    replyWith({});
    const outcome = await provider.createPayout({ ...wanted, amountMinor: 2n ** 60n + 1n });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'amount-out-of-range' });
    expect(requests).toEqual([]);
  });
});

describe('a commit', () => {
  it.each([
    ['that was done before is done', 'PENDING', 'pending'],
    ['of a payout that was canceled shows that', 'CANCELED', 'canceled'],
  ])('%s', async (_, theirs, status) => {
    replyWith({
      [COMMIT]: [409, { code: '415027' }],
      [BY_ID]: [200, { ...payout, status: theirs }],
    });
    expect(await provider.commitPayout('p1')).toMatchObject({ value: { status } });
  });

  it('is unknown while the record still shows the first state', async () => {
    for (const reply of [
      [204, null],
      [500, {}],
      [429, {}],
      [409, { code: '415027' }],
    ] as Reply[]) {
      replyWith({ [COMMIT]: reply, [BY_ID]: [200, payout] });
      expect(await provider.commitPayout('p1'), String(reply[0])).toMatchObject({
        kind: 'unknown',
      });
    }
  });

  it('is refused when the provider says so and the record agrees', async () => {
    replyWith({ [COMMIT]: tooLow, [BY_ID]: [200, payout] });
    const outcome = await provider.commitPayout('p1');
    expect(outcome).toMatchObject({ kind: 'refused', code: 'balance-too-low' });
  });
});

describe('an unrecognised status', () => {
  it('ends nothing and logs an alarm', async () => {
    replyWith({ [BY_CODE]: [200, { ...payout, status: 'TELEPORTED' }] });
    const found = await provider.findPayout('wd_1');
    expect(found).toMatchObject({ kind: 'done', value: { status: 'unrecognised' } });
    expect(warnings).toEqual([{ paymentCode: 'wd_1', vendorStatus: 'TELEPORTED' }]);
  });
});

describe('the checkout page', () => {
  it('comes from our own setting, never from the reply', async () => {
    const payin = { id: 'x/1', code: 'topup_1', status: 'CREATED', amount: 10 };
    const trap = { confirmationUri: 'https://evil.example', checkoutUrl: 'https://evil.example' };
    replyWith({ 'GET /payins/by-code/topup_1': [200, { ...payin, ...trap }] });
    const found = await provider.findPayin('topup_1');
    expect(found).toMatchObject({ value: { checkoutUrl: 'https://pay.example/x%2F1' } });
    expect(() => httpPaymentProvider({ ...settings, checkoutUrlTemplate: 'https://x' })).toThrow();
  });
});
