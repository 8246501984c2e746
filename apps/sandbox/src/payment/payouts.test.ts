import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  aPayout,
  expectRefusal,
  openSandbox,
  type Sandbox,
  until,
} from '../testing/payment-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await sandbox.control('POST', '/reset');
  // A day: only a clock that is set forward completes anything.
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: 86_400 });
});

const create = (fields: object = {}) => sandbox.api('POST', '/payouts', aPayout(fields));
const commit = (id: string) => sandbox.api('POST', `/payouts/${id}/commit`);
const read = async (id: string) => (await sandbox.api('GET', `/payouts/${id}`)).json;
const balance = async () => (await sandbox.api('GET', '/me/balance')).json;
const passADay = () => sandbox.control('POST', '/clock/advance', { seconds: 86_400 });
const effects = async () => {
  const { json } = await sandbox.control('GET', '/journal');
  return json.entries.map(({ effect, amount }) => `${effect} ${String(amount)}`);
};

describe('a payout', () => {
  it('is created without moving money, as the vendor shows it', async () => {
    const body = aPayout({ amount: 20.05, enterpriseFee: 0.05, internalNote: 'for us' });
    const { status, json } = await sandbox.api('POST', '/payouts', body);
    expect(status).toBe(200);
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code: body['code'],
      airtmUserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      airtmUserEmail: 'maria.lopez@example.com',
      requireIdVerified: false,
      notes: 'Withdrawal',
      internalNote: 'for us',
      status: 'CREATED',
      grossAmount: 20.05,
      amount: 20,
      netAmount: 20,
      airtmFee: 0,
      enterpriseFee: 0.05,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: json['createdAt'],
    });
    expect((await sandbox.api('GET', `/payouts/by-code/${json.code}`)).json).toEqual(json);
    expect(await balance()).toEqual({ available: 1_000_000, pending: 0 });
  });

  it('takes its money at the commit and is completed after the delay', async () => {
    const { id } = (await create()).json;
    const committed = await commit(id);
    expect([committed.status, committed.text]).toEqual([204, '']);
    expect((await read(id)).status).toBe('PENDING');
    expect(await balance()).toEqual({ available: 999_979.95, pending: 20.05 });
    await passADay();
    expect((await read(id)).status).toBe('COMPLETED');
    expect(await balance()).toEqual({ available: 999_979.95, pending: 0 });
    expect(await effects()).toEqual([
      'payment.payout.create 20.05',
      'payment.payout.commit 20.05',
      'payment.payout.complete 20.05',
    ]);
  });

  // No call reaches the provider meanwhile: a timer must have done it.
  it('is completed by itself a second later, unless the settings say otherwise', async () => {
    await sandbox.control('POST', '/reset');
    const { id } = (await create({ commit: true })).json;
    const storedStatus = () => sandbox.world.store.get<{ status: string }>('payout', id)?.status;
    expect(storedStatus()).toBe('PENDING');
    await until(() => storedStatus() === 'COMPLETED', 'a payout that is completed by itself');
  });

  it('waits for control when there is no delay after which it completes', async () => {
    await sandbox.control('POST', '/payment', { payoutDelaySeconds: null });
    const { json } = await create({ commit: true });
    await sandbox.control('POST', '/clock/advance', { seconds: 365 * 86_400 });
    expect((await read(json.id)).status).toBe('PENDING');
    await sandbox.control('POST', `/payouts/${json.code}`, { status: 'COMPLETED' });
    expect((await read(json.id)).status).toBe('COMPLETED');
  });

  it('is committed once', async () => {
    const { id } = (await create()).json;
    const responses = await Promise.all(Array.from({ length: 10 }, () => commit(id)));
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 204))
      expectRefusal(response, 409, '415027');
    expect((await balance()).pending).toBe(20.05);
  });

  it('can be committed as it is created', async () => {
    const { json } = await create({ commit: true });
    expect(json.status).toBe('PENDING');
    expect((await balance()).pending).toBe(20.05);
    expectRefusal(await commit(json.id), 409, '415027');
  });

  it('has a code that no other payout has, or no code', async () => {
    const { json } = await create();
    expectRefusal(await create({ code: json.code }), 409, '415056');
    const first = await create({ code: undefined });
    const second = await create({ code: undefined });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.json).not.toHaveProperty('code');
    expect(first.json.id).not.toBe(second.json.id);
  });

  it('is refused when the enterprise has not enough', async () => {
    await sandbox.control('POST', '/payment', { balance: '20.04' });
    const { id } = (await create()).json;
    expectRefusal(await commit(id), 422, '415016');
    expectRefusal(await create({ commit: true }), 422, '415016');
    expect((await read(id)).status).toBe('CREATED');
    expect((await sandbox.api('GET', '/payouts')).json.items).toHaveLength(1);
    await sandbox.control('POST', '/payment', { balance: '20.05' });
    expect((await commit(id)).status).toBe(204);
    expect(await balance()).toEqual({ available: 0, pending: 20.05 });
  });

  it('gives the money back when it is canceled, and cannot be canceled at its end', async () => {
    const pending = (await create()).json;
    await commit(pending.id);
    const canceled = await sandbox.api('DELETE', `/payouts/${pending.id}`);
    expect([canceled.status, canceled.json.status]).toEqual([200, 'CANCELED']);
    const untouched = (await create()).json;
    expect((await sandbox.api('DELETE', `/payouts/${untouched.id}`)).json.status).toBe('CANCELED');
    expect(await balance()).toEqual({ available: 1_000_000, pending: 0 });
    await passADay();
    expect((await read(pending.id)).status).toBe('CANCELED');
    expectRefusal(await sandbox.api('DELETE', `/payouts/${pending.id}`), 409, '415055');
    const done = (await create({ commit: true })).json;
    await passADay();
    expectRefusal(await sandbox.api('DELETE', `/payouts/${done.id}`), 409, '415055');
    expect(await balance()).toEqual({ available: 999_979.95, pending: 0 });
  });

  it('is not found under an unknown id or code', async () => {
    for (const path of ['/payouts/unknown', '/payouts/by-code/unknown', '/payouts/unknown/events'])
      expectRefusal(await sandbox.api('GET', path), 404, '415005');
    expectRefusal(await commit('unknown'), 404, '415005');
    expectRefusal(await sandbox.api('DELETE', '/payouts/unknown'), 404, '415005');
  });
});

describe('the recipient', () => {
  it('who has to sign up keeps the payout waiting, for ninety days', async () => {
    const { id } = (await create({ airtmUserEmail: 'new.signup@example.com', commit: true })).json;
    await passADay();
    expect(await read(id)).toMatchObject({ status: 'PENDING_USER_ACTION', reasonCode: '415912' });
    expect((await balance()).pending).toBe(20.05);
    await sandbox.control('POST', '/clock/advance', { seconds: 89 * 86_400 });
    expect((await read(id)).status).toBe('CANCELED');
    expect(await balance()).toEqual({ available: 1_000_000, pending: 0 });
  });

  it('whose name fails makes it fail after the delay, and the money comes back', async () => {
    const { id } = (await create({ airtmUserEmail: 'it.fails@example.com', commit: true })).json;
    expect((await read(id)).status).toBe('PENDING');
    await passADay();
    const failed = await read(id);
    expect(failed).toMatchObject({ status: 'FAILED', reasonCode: '415073' });
    expect(failed['reasonDescription']).toMatch(/\w/);
    expect(await balance()).toEqual({ available: 1_000_000, pending: 0 });
    expect((await effects()).at(-1)).toBe('payment.payout.fail 20.05');
  });

  it('is refused when inactive, and when not verified where that is required', async () => {
    expectRefusal(await create({ airtmUserEmail: 'inactive@example.com' }), 422, '415060');
    const email = 'unverified@example.com';
    const requested = { airtmUserEmail: email, commit: true, requireIdVerified: true };
    expect((await create(requested)).json.status).toBe('PENDING_USER_ACTION');
    expect((await create({ airtmUserEmail: email, commit: true })).json.status).toBe('PENDING');
  });

  it('can be a bank account, in place of an e-mail address and not beside it', async () => {
    const bankAccount = { ref: 'ES91 2100 0418' };
    const { json } = await create({ airtmUserEmail: undefined, bankAccount, commit: true });
    expect(json).toMatchObject({ bankAccount, status: 'PENDING' });
    expect(json).not.toHaveProperty('airtmUserEmail');
    await passADay();
    expect((await read(json.id)).status).toBe('COMPLETED');
    expectRefusal(await create({ bankAccount }), 400, '415906');
    expectRefusal(await create({ airtmUserEmail: undefined }), 400, '415906');
  });
});

describe('the body of a new payout', () => {
  it.each([
    ['a stray property', { more: 1 }],
    ['no notes', { notes: undefined }],
    ['an address that is none', { airtmUserEmail: 'maria' }],
    ['three decimals', { amount: 1.001 }],
    ['a commit in text', { commit: 'yes' }],
    ['a fee that eats it up', { enterpriseFee: 20.05 }],
    ['a bank account without ref', { airtmUserEmail: undefined, bankAccount: {} }],
  ])('is refused with %s', async (_, fields) => {
    expectRefusal(await create(fields), 400, '415906');
    expect((await sandbox.api('GET', '/payouts')).json.items).toEqual([]);
  });
});

describe('the events of a payout', () => {
  it('are its moves, with the reason of each', async () => {
    const { id } = (await create({ airtmUserEmail: 'it.fails@example.com', commit: true })).json;
    await passADay();
    const { json } = await sandbox.api('GET', `/payouts/${id}/events`);
    const events = json as unknown as { previousStatus: string; newStatus: string }[];
    expect(events.map(({ previousStatus, newStatus }) => [previousStatus, newStatus])).toEqual([
      [null, 'CREATED'],
      ['CREATED', 'COMMITTED'],
      ['COMMITTED', 'PENDING'],
      ['PENDING', 'FAILED'],
    ]);
    expect(events.at(-1)).toMatchObject({
      operationId: id,
      operationType: 'PAYOUT',
      eventType: 'STATUS_CHANGED',
      metadata: { transitionCode: '415073' },
    });
    expect(events[2]).toMatchObject({ metadata: {} });
  });
});
