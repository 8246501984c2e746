import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  aPayin,
  aPayout,
  openSandbox,
  type Sandbox,
  send,
  until,
} from '../testing/payment-sandbox.ts';
import { isSigned, openReceiver, type Receiver } from '../testing/receiver.ts';
import { sign } from './notify.ts';

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ....').toString('base64')}`;

let sandbox: Sandbox;
let receiver: Receiver;

beforeEach(async () => {
  sandbox = await openSandbox();
  receiver = await openReceiver();
  await listen({});
  await sandbox.control('POST', '/payment', { payoutDelaySeconds: 60 });
});
afterEach(async () => {
  await sandbox.stop();
  await receiver.stop();
});

const listen = (fields: object) =>
  sandbox.control('POST', '/webhooks', {
    payment: { url: receiver.url, secret: SECRET, ...fields },
  });
const fault = (kind: string) =>
  sandbox.control('POST', '/faults', { provider: 'payment', operation: 'webhook', kind });
const createPayin = async () => (await sandbox.api('POST', '/payins', aPayin())).json;
const press = (id: string, button: string) => send('POST', `${sandbox.url}/payin/${id}/${button}`);

describe('the signature', () => {
  // Svix publishes this example in "Verifying webhooks manually".
  it('is the one that Svix makes', () => {
    const secret = 'whsec_plJ3nmyCDGBKInavdOK15jsl';
    const body = '{"event_type":"ping","data":{"success":true}}';
    expect(sign(secret, `msg_loFOjxBNrRLzqYUf.1731705121.${body}`)).toBe(
      'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    );
  });

  it('covers id, time and raw body of what arrives, in world time', async () => {
    await sandbox.control('POST', '/clock/advance', { seconds: 86_400 });
    await createPayin();
    await receiver.wait(2);
    for (const one of receiver.received) {
      expect(await isSigned(one, SECRET)).toBe(true);
      expect(await isSigned({ ...one, body: `${one.body} ` }, SECRET)).toBe(false);
      expect(await isSigned(one, 'whsec_YW5vdGhlcg==')).toBe(false);
      const ahead = Number(one.headers['svix-timestamp']) * 1000 - Date.now();
      expect(Math.abs(ahead - 86_400_000)).toBeLessThan(10_000);
    }
    const ids = receiver.received.map(({ headers }) => headers['svix-id']);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the normalised form', () => {
  it('has the body of our specification', async () => {
    const payin = await createPayin();
    await receiver.wait(2);
    const first = receiver.received.find(({ json }) => json.eventType === 'payin.created')?.json;
    expect(first).toEqual({
      eventId: expect.stringMatching(/^evt_/),
      eventType: 'payin.created',
      occurredAt: payin['createdAt'],
      data: {
        id: payin.id,
        code: payin.code,
        amount: 50.25,
        currency: 'USD',
        status: 'CREATED',
        reasonCode: null,
        reasonDescription: null,
      },
    });
  });

  it('sends every state of payins and payouts: all thirteen types', async () => {
    const paid = await createPayin();
    await press(paid.id, 'confirm');
    await press((await createPayin()).id, 'cancel');
    const refused = await createPayin();
    await sandbox.control('POST', `/payins/${refused.code}`, { status: 'FAILED' });
    for (const who of ['maria', 'fails', 'signup']) {
      const body = aPayout({ airtmUserEmail: `${who}@example.com`, commit: true });
      await sandbox.api('POST', '/payouts', body);
    }
    const dropped = (await sandbox.api('POST', '/payouts', aPayout())).json;
    await sandbox.api('DELETE', `/payouts/${dropped.id}`);
    await sandbox.control('POST', '/clock/advance', { seconds: 60 });
    await receiver.wait(24);
    expect([...new Set(receiver.types())].sort()).toEqual([
      'payin.awaiting_user_confirmation',
      'payin.canceled',
      'payin.created',
      'payin.failed',
      'payin.processing',
      'payin.succeeded',
      'payout.canceled',
      'payout.committed',
      'payout.completed',
      'payout.created',
      'payout.failed',
      'payout.pending',
      'payout.pending_user_action',
    ]);
    const failed = receiver.received.find(({ json }) => json.eventType === 'payout.failed')?.json;
    expect(failed?.data).toMatchObject({ amount: 20.05, status: 'FAILED', reasonCode: '415073' });
    const waits = receiver.received.find(({ json }) => /user_action/.test(json.eventType))?.json;
    expect(waits?.data['reasonCode']).toBe('415912');
    expect(receiver.received).toHaveLength(24);
  });
});

describe("the vendor's form", () => {
  it('has its own types only, each with the whole record', async () => {
    await listen({ form: 'vendor' });
    const payin = await createPayin();
    await press(payin.id, 'confirm');
    const body = aPayout({ commit: true });
    const payout = (await sandbox.api('POST', '/payouts', body)).json;
    await sandbox.control('POST', '/clock/advance', { seconds: 60 });
    await receiver.wait(4);
    expect(receiver.types().sort()).toEqual([
      'payin.confirmed',
      'payin.created',
      'payout.completed',
      'payout.created',
    ]);
    const confirmed = receiver.received.find(({ json }) => json.type === 'payin.confirmed')?.json;
    expect(confirmed).toEqual({
      type: 'payin.confirmed',
      data: (await sandbox.api('GET', `/payins/${payin.id}`)).json,
    });
    const completed = receiver.received.find(({ json }) => json.type === 'payout.completed')?.json;
    expect(completed?.data).toEqual((await sandbox.api('GET', `/payouts/${payout.id}`)).json);
    for (const one of receiver.received) expect(await isSigned(one, SECRET)).toBe(true);
  });
});

describe('a webhook', () => {
  it('is sent three times, the same each time, when it is to be duplicated', async () => {
    await sandbox.api('POST', '/payouts', aPayout());
    await receiver.wait(1);
    await fault('duplicate-webhook');
    await sandbox.api('POST', '/payouts', aPayout());
    await receiver.wait(4);
    const copies = receiver.received.slice(1);
    expect(new Set(copies.map(({ headers }) => headers['svix-id'])).size).toBe(1);
    expect(new Set(copies.map(({ body }) => body)).size).toBe(1);
    expect(copies).toHaveLength(3);
  });

  it('comes after the next one when they are to be reordered', async () => {
    await fault('reorder-webhooks');
    const { id } = (await sandbox.api('POST', '/payouts', aPayout())).json;
    await sandbox.api('DELETE', `/payouts/${id}`);
    await receiver.wait(2);
    expect(receiver.types()).toEqual(['payout.canceled', 'payout.created']);
  });

  it('is lost when it is to be dropped, and control says so', async () => {
    await fault('drop-webhook');
    const { id } = (await sandbox.api('POST', '/payouts', aPayout())).json;
    await sandbox.api('DELETE', `/payouts/${id}`);
    await receiver.wait(1);
    expect(receiver.types()).toEqual(['payout.canceled']);
    const sent = (await sandbox.control('GET', '/webhooks')).json.webhooks;
    expect(sent.map(({ type, status }) => [type, status])).toContainEqual([
      'payout.created',
      'lost',
    ]);
  });

  it('is tried again with the same id until it is taken', async () => {
    receiver.status = 503;
    await sandbox.api('POST', '/payouts', aPayout());
    await receiver.wait(1);
    receiver.status = 200;
    await receiver.wait(2);
    const [first, second] = receiver.received;
    expect(second?.headers['svix-id']).toBe(first?.headers['svix-id']);
    expect(second?.body).toBe(first?.body);
    for (const one of receiver.received) expect(await isSigned(one, SECRET)).toBe(true);
    const delivered = async () => {
      const { webhooks } = (await sandbox.control('GET', '/webhooks')).json;
      return webhooks[0]?.status === 'delivered' && webhooks[0].attempts;
    };
    expect(await until(delivered, 'a delivered webhook')).toMatchObject([
      { status: 503 },
      { status: 200 },
    ]);
  });
});
