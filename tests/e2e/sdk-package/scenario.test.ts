//! The SDK against a running service: an order, a dispute, an outcome that is unknown at first,
//! money in and out, and a consumer that gets every event.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Holdfast, type HoldfastEvent, isHoldfastError, type User } from '@holdfast/sdk';
import { Members } from '@holdfast/sdk/members';
import { money } from '@holdfast/sdk/money';
import { fileCursorStore } from '@holdfast/sdk/node';
import { World } from '@holdfast/sdk/testing';
import { expressWebhook } from '@holdfast/sdk/webhooks';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalSet, startLocalSet } from '../../../apps/cli/src/local-set.ts';
import { within } from '../../harness/wait.ts';

const SLOW = 120_000;

let set: LocalSet;
let holdfast: Holdfast;
let world: World;
let buyer: User;
let seller: User;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-'));
  set = await startLocalSet({ port: 0, quiet: true, env: { HOLDFAST_RATE_LIMIT: 'off' } });
  const { api, apiKey, sandbox } = set.ready;
  holdfast = new Holdfast({ apiKey, baseUrl: api });
  world = new World({ url: sandbox });
  buyer = await person('ada');
  seller = await person('bob');
  await holdfast.balances.credit(buyer.id, { amount: money('500.00', 'USD') });
}, SLOW);

afterAll(async () => {
  await set?.stop();
  rmSync(folder, { recursive: true });
});

async function person(name: string): Promise<User> {
  const user = await holdfast.users.create({ externalUserId: name });
  return holdfast.users.linkPaymentAccount(user.id, { email: `${name}@example.com` });
}

function newOrder(amount: string, title = 'A table') {
  return holdfast.orders.create({ buyerId: buyer.id, sellerId: seller.id, amount, title });
}

describe('an order', () => {
  it(
    'goes from its reservation to CLOSED, step by step',
    async () => {
      const order = await newOrder('120.00');
      expect(order.status).toBe('ORDER_CREATED');
      expect((await holdfast.orders.reserve(order.id)).status).toBe('FUNDS_RESERVED');
      await holdfast.orders.createEscrow(order.id);
      await holdfast.orders.waitFor(order.id, 'ESCROW_FUNDING');
      expect((await holdfast.orders.fundEscrow(order.id)).status).toBe('IN_PROGRESS');
      const before = await holdfast.balances.get(seller.id);
      await holdfast.orders.release(order.id);
      const closed = await holdfast.orders.waitFor(order.id, 'CLOSED');
      expect(closed.closeReason).toBe('RELEASED');
      const after = await holdfast.balances.get(seller.id);
      const gained =
        money(after.available, 'USD').minor - BigInt(before.available.replace('.', ''));
      expect(gained).toBe(114_00n);
      const timeline = await holdfast.orders.timeline(order.id, { limit: 5 }).toArray();
      expect(timeline.length).toBeGreaterThan(5);
    },
    SLOW,
  );

  it(
    'goes to IN_PROGRESS in one call, and a second time changes nothing',
    async () => {
      const order = await newOrder('10.00');
      const busy = await holdfast.orders.checkout(order.id);
      expect(busy.status).toBe('IN_PROGRESS');
      expect((await holdfast.orders.checkout(order.id)).updatedAt).toBe(busy.updatedAt);
      const again = await holdfast.orders.fundEscrow(order.id).result();
      expect(again.ok).toBe(false);
      if (again.ok || again.error.code !== 'INVALID_STATE') throw new Error('not refused');
      expect(again.error).toMatchObject({ status: 400, retry: 'never', isOutcomeKnown: true });
      expect(again.error.details.state).toBe('IN_PROGRESS');
      expect(again.error.requestId).toMatch(/^[0-9a-f-]{36}$/);
    },
    SLOW,
  );

  it(
    'can be awaited when the outcome of a release is unknown',
    async () => {
      const order = await newOrder('10.00');
      await holdfast.orders.checkout(order.id);
      // Other submissions use the network meanwhile; only the release meets this fault.
      await world.fault('escrow.release', 'drop-after');
      const outcome = await holdfast.orders.release(order.id).result();
      expect(outcome.ok).toBe(false);
      if (outcome.ok || outcome.error.code !== 'PROVIDER_TIMEOUT') throw new Error('was known');
      expect(outcome.error.isOutcomeKnown).toBe(false);
      const { operationId } = outcome.error.details;
      const ended = await holdfast.operations.waitFor(operationId ?? '');
      expect(ended.status).toBe('DONE');
      expect((await holdfast.orders.waitFor(order.id, 'CLOSED')).closeReason).toBe('RELEASED');
    },
    SLOW,
  );

  it(
    'is disputed and split',
    async () => {
      const order = await newOrder('100.00', 'A house');
      await holdfast.orders.checkout(order.id);
      const dispute = await holdfast.orders.openDispute(order.id, {
        openedBy: 'BUYER',
        reason: 'QUALITY_ISSUE',
      });
      await holdfast.disputes.assign(dispute.id, { assignedTo: 'agent-7' });
      const [release, refund] = money('100.00', 'USD').allocate([70, 30]);
      if (release === undefined || refund === undefined) throw new Error('not allocated');
      await holdfast.disputes.resolve(dispute.id, {
        decision: 'SPLIT',
        releaseAmount: release,
        refundAmount: refund,
      });
      await holdfast.disputes.waitFor(dispute.id, 'RESOLVED');
      expect((await holdfast.orders.get(order.id)).closeReason).toBe('SPLIT');
    },
    SLOW,
  );
});

describe('money', () => {
  it('is credited once under one key of the caller', async () => {
    const body = { amount: '7.00' };
    const key = { idempotencyKey: `cart ${randomUUID()}` };
    const first = await holdfast.balances.credit(seller.id, body, key).withResponse();
    const second = await holdfast.balances.credit(seller.id, body, key).withResponse();
    expect([first.isReplay, second.isReplay]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
    const other = await holdfast.balances.credit(seller.id, { amount: '8.00' }, key).result();
    expect(!other.ok && other.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it(
    'comes in by a top-up and goes out by a withdrawal',
    async () => {
      const topup = await holdfast.topups.create({ userId: buyer.id, amount: '25.00' });
      await world.settleTopup(topup.id);
      await holdfast.topups.waitFor(topup.id, 'TOPUP_SUCCEEDED');
      const withdrawal = await holdfast.withdrawals.create({
        userId: buyer.id,
        amount: '25.00',
        currency: 'USD',
        destination: { type: 'payment_account', ref: 'ada@example.com' },
      });
      await holdfast.withdrawals.commit(withdrawal.id);
      await world.settleWithdrawal(withdrawal.id).catch(() => undefined); // Or it went by itself.
      await holdfast.withdrawals.waitFor(withdrawal.id, 'WITHDRAWAL_COMPLETED');
    },
    SLOW,
  );

  it('is exported as CSV', async () => {
    const table = await holdfast.statements.userCsv(buyer.id);
    expect(table.headers.get('content-type')).toContain('text/csv');
    expect((await table.text()).split('\n').length).toBeGreaterThan(3);
  });
});

it(
  'handles webhooks and the stream with one handler, each event once',
  async () => {
    const received: string[] = [];
    const faults: unknown[] = [];
    const take = holdfast.events.handler({
      'balance.credited': ({ payload }) => received.push(payload.amount),
    });
    const secrets: string[] = [];
    const onError = (error: unknown) => void faults.push(error);
    const app = express().post('/hooks', expressWebhook(take, { secret: secrets, onError }));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const endpoint = await holdfast.webhookEndpoints.create({
      url: `http://127.0.0.1:${port}/hooks`,
      types: ['balance.credited'],
    });
    secrets.push(endpoint.secret ?? '');
    const from = await holdfast.events.now();
    await holdfast.balances.credit(seller.id, { amount: '3.33' });
    await until(() => received.includes('3.33'));
    const rotated = await holdfast.webhookEndpoints.rotateSecret(endpoint.id);
    secrets.push(rotated.secret ?? '');
    await holdfast.balances.credit(seller.id, { amount: '4.44' });
    await until(() => received.includes('4.44'));
    const stop = AbortSignal.timeout(1_000);
    await holdfast.events.consume(take, { from, signal: stop });
    expect([received, faults]).toEqual([['3.33', '4.44'], []]);
    // A delivery is recorded after the response, so it may take a moment.
    const sent = async () =>
      (await holdfast.webhookEndpoints.listDeliveries(endpoint.id).toArray()).length;
    await expect.poll(sent, { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    server.close();
  },
  SLOW,
);

const until = (isSo: () => boolean) => within(30_000, isSo, 25);

it('reads lists page by page', async () => {
  for (const title of ['A', 'B', 'C']) await newOrder('1.00', title);
  const all = await holdfast.orders.list({ limit: 1 }).toArray();
  expect(all.length).toBeGreaterThan(2);
  const page = await holdfast.orders.list({ limit: 2 }).page();
  expect(page).toMatchObject({ hasMore: true, items: [{ id: all[0]?.id }, { id: all[1]?.id }] });
  const next = await holdfast.orders.list({ limit: 2, cursor: page.nextCursor }).page();
  expect(next.items[0]?.id).toBe(all[2]?.id);
});

it('consumes every event of the log once across restarts', async () => {
  const store = fileCursorStore(join(folder, 'cursor'));
  const received: HoldfastEvent[] = [];
  const log = await holdfast.events.log({ limit: 50 }).toArray();
  for (const share of [0.3, 0.6, 1]) {
    const most = Math.ceil(share * log.length);
    const stop = new AbortController();
    await holdfast.events.consume(
      {
        other(event) {
          received.push(event);
          if (received.length >= most) stop.abort();
        },
      },
      { store, from: 'beginning', signal: stop.signal },
    );
  }
  expect(received.map(({ eventId }) => eventId)).toEqual(log.map(({ eventId }) => eventId));
});

it('distinguishes a wrong key from an unreachable service', async () => {
  const invalidClient = holdfast.with({ apiKey: 'sk_wrong' });
  const refused = await invalidClient.orders
    .list()
    .page()
    .catch((error: unknown) => error);
  expect(isHoldfastError(refused, 'UNAUTHORIZED')).toBe(true);
  // This port is closed, and `fetch` allows it; it blocks 1, 7, 9 and others by itself.
  const baseUrl = 'http://127.0.0.1:2';
  const nowhere = new Holdfast({ apiKey: 'x', baseUrl, maxRetries: 0 });
  const away = await nowhere.orders.release('ord_1').result();
  expect(!away.ok && away.error).toMatchObject({
    code: 'CONNECTION_FAILED',
    isOutcomeKnown: true,
  });
});

it(
  'supports members too',
  async () => {
    const anyone = new Members({ baseUrl: set.ready.api });
    const email = `${randomUUID()}@example.com`;
    const wrong = await anyone.logIn({ email, password: 'not registered' }).result();
    expect(!wrong.ok && wrong.error.code).toBe('INVALID_CREDENTIALS');
    const { token } = await anyone.register({ email, password: 'correct horse', name: 'Cy' });
    const cy = anyone.as(token);
    const project = await cy.createProject({ title: 'A shed', budget: 120, currency: 'USD' });
    expect((await cy.listProjects()).projects[0]?.id).toBe(project.id);
    const poor = await cy
      .initEscrow({ project_id: project.id, seller_id: seller.id, amount: 1, currency: 'USD' })
      .result();
    expect(!poor.ok && poor.error.code).toMatch(/USER_NOT_FOUND|INSUFFICIENT_FUNDS/);
  },
  SLOW,
);
