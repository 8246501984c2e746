//! Tests that every call and every job emits exactly its declared events.
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/endpoint';
import { statusOf } from '@holdfast/contract/errors';
import { EVENT_NAMES, type EventName } from '@holdfast/contract/events';
import { SURFACE_A_BASE, surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { afterEach, describe, expect, it } from 'vitest';
import { custodyJobs, jobs } from '../../app/jobs.ts';
import { resumePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import { useEscrowWorld } from '../../testing/escrows.ts';
import { PAYMENT_SECRET } from '../../testing/payment-webhooks.ts';
import { balanceScenarios, sentBefore } from '../../testing/scenarios/balance-scenarios.ts';
import { consoleScenarios } from '../../testing/scenarios/console-scenarios.ts';
import { debtScenarios } from '../../testing/scenarios/debt-scenarios.ts';
import { depositSomething, syncScenarios } from '../../testing/scenarios/deposit-scenarios.ts';
import {
  notificationScenarios,
  storeNotifications,
} from '../../testing/scenarios/notification-scenarios.ts';
import { operatorScenarios } from '../../testing/scenarios/operator-scenarios.ts';
import {
  type Attempt,
  orderScenarios,
  type Scenario,
} from '../../testing/scenarios/order-scenarios.ts';
import { reconciliationScenarios } from '../../testing/scenarios/reconciliation-scenarios.ts';
import {
  dueTopups,
  storePaymentNotifications,
  topupScenarios,
} from '../../testing/scenarios/topup-scenarios.ts';
import { webhookScenarios } from '../../testing/scenarios/webhook-scenarios.ts';
import {
  duePayouts,
  overdueWithdrawal,
  withdrawalScenarios,
} from '../../testing/scenarios/withdrawal-scenarios.ts';
import { ESCROW_SECRET } from '../../testing/webhooks.ts';

const { world, market } = useEscrowWorld({
  // One pooled wallet is ready after each run of the worker, and goes to the next user.
  HOLDFAST_SPARE_WALLETS: '1',
  ESCROW_WEBHOOK_SECRET: ESCROW_SECRET,
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  // Every decision of an operator needs an approval.
  HOLDFAST_APPROVAL_LIMIT: '0',
});

const here = () => ({ world, market });

// Any test may run after one that paused them.
afterEach(() => world.rows(`update lineage set status = 'OPEN'`));
afterEach(() => transact(world.app, market.call, (tx) => resumePayouts(tx, 'over', 'master')));

const plain: Scenario = async () => ({});
const newUser: Scenario = async () => ({ body: { externalUserId: randomUUID() } });
const ofUser: Scenario = async () => ({ ids: { userId: await market.user() } });
const asMaster =
  (attempt: Attempt = {}): Scenario =>
  async () => ({ ...attempt, key: world.masterKey });
const ofMarketplace =
  (body?: unknown): Scenario =>
  async () => ({ ids: { id: market.id }, key: world.masterKey, body });
const STOP = { level: 'MONEY', reason: 'a doubt' };
const ofNewMarketplace = (): Scenario => async () => ({
  ids: { id: (await world.market()).id },
  key: world.masterKey,
  body: STOP,
});
const stopped = async (): Promise<Attempt> => {
  const attempt = await ofNewMarketplace()();
  await world.send('POST', `/marketplaces/${attempt.ids?.['id']}/stop`, {
    key: world.masterKey,
    body: STOP,
  });
  return attempt;
};
/** A key that the call ends must have no other user. */
const ofOtherKey: Scenario = async () => ({
  ids: { id: (await world.market()).keyId },
  body: {},
  key: world.masterKey,
});

const withWallet: Scenario = async () => {
  const attempt = await ofUser();
  await world.runWorker();
  return attempt;
};

const withEmail = (email: string) => async () => {
  const body = { externalUserId: randomUUID(), email };
  const { json } = await market.send('POST', '/users', { body });
  return { ids: { id: json.data.data.id as string }, body: {} };
};

/** By operation. The first test fails for a served operation that is missing here. */
const SCENARIOS: Readonly<Record<string, readonly Scenario[]>> = {
  createApiKey: [asMaster({ body: { name: 'emits', scopes: ['read'] } })],
  listApiKeys: [plain],
  createToken: [async () => ({ ids: { id: market.keyId }, body: {} })],
  getAuthContext: [plain],
  getConfig: [plain],
  getHealth: [plain],
  getDetailedHealth: [plain],
  createUser: [
    newUser,
    async () => {
      await world.runWorker();
      return newUser();
    },
    async () => {
      const body = { externalUserId: randomUUID() };
      await market.send('POST', '/users', { body });
      return { body, isRepeat: true };
    },
  ],
  listUsers: [plain],
  getUser: [async () => ({ ids: { id: await market.user() } })],
  linkPaymentAccount: [
    withEmail(`${randomUUID()}@example.test`),
    async () => {
      const attempt = await withEmail(`${randomUUID()}@example.test`)();
      await market.send('POST', `/users/${attempt.ids.id}/payment-account/link`, { body: {} });
      return { ...attempt, isRepeat: true };
    },
    async () => ({
      ...(await withEmail('missing@example.test')()),
      refused: 'PAYMENT_ACCOUNT_INVALID',
    }),
  ],
  ...balanceScenarios(here),
  getUserStatement: [ofUser],
  getFeeReport: [plain],
  syncBalance: syncScenarios(here),
  verifyBalance: [withWallet],
  getWallet: [withWallet],
  getDepositAddress: [withWallet],
  listWalletTransactions: [withWallet],
  ...orderScenarios(here),
  ...topupScenarios(here),
  ...withdrawalScenarios(here),
  ...reconciliationScenarios(here),
  ...webhookScenarios(here),
  ...operatorScenarios(
    here,
    { ...orderScenarios(here), ...withdrawalScenarios(here) },
    debtScenarios(here),
  ),
  ...consoleScenarios(here),
  receiveEscrowWebhook: notificationScenarios(here),
  streamEvents: [plain, asMaster({ headers: { 'last-event-id': '' } })],
  listEventLog: [plain],
  listAuditLogs: [plain],
  revokeApiKey: [ofOtherKey],
  rotateApiKey: [ofOtherKey],
  createMarketplace: [asMaster({ body: { name: 'emits' } })],
  listMarketplaces: [asMaster()],
  getMarketplace: [ofMarketplace()],
  setAdjustmentLimit: [ofMarketplace({ currency: 'USD', limit: null })],
  setTreasuryShare: [ofMarketplace({ asset: 'USDC', funded: null })],
  getTerms: [ofMarketplace()],
  setTerms: [ofMarketplace({ payinFee: 'MARKETPLACE', reason: 'as before' })],
  stopMarketplace: [ofNewMarketplace(), async () => ({ ...(await stopped()), isRepeat: true })],
  listStops: [ofMarketplace()],
  liftStop: [stopped, async () => ({ ...(await ofNewMarketplace()()), refused: 'INVALID_STATE' })],
};

/** The same, for users who owe money. */
const OWING = debtScenarios(here);

interface Emitted {
  readonly type: EventName;
  readonly correlationId: string;
}

/** The events that this work added to any log. */
async function emittedBy(work: () => Promise<unknown>): Promise<Emitted[]> {
  await world.sequence();
  const known = await world.rows<{ id: string }>('select id from event');
  await work();
  await world.sequence();
  return world.rows<{ type: EventName; correlationId: string }>(
    `select event_type as type, correlation_id as "correlationId" from event
     where not id = any ($1) order by marketplace_id, position`,
    [known.map(({ id }) => id)],
  );
}

/** Sends the attempt; returns its own events only. */
async function eventsOf(endpoint: Endpoint, attempt: Attempt): Promise<EventName[]> {
  const requestId = randomUUID();
  const { status, also } = endpoint.success;
  const expected =
    attempt.refused === undefined
      ? [status, also ?? status]
      : [statusOf(attempt.refused, endpoint)];
  const emitted = await emittedBy(async () => {
    const response = await send(endpoint, attempt, requestId);
    expect(expected, response.text).toContain(response.status);
  });
  for (const { correlationId } of emitted) expect(correlationId).toBe(requestId);
  return emitted.map(({ type }) => type);
}

async function send(
  endpoint: Endpoint,
  attempt: Attempt,
  requestId: string,
): Promise<{ status: number; text: string }> {
  const { ids = {}, body, query = '' } = attempt;
  const isSignedIn = attempt.headers?.['cookie'] !== undefined;
  const key = attempt.key ?? (isSignedIn ? undefined : market.key);
  const named = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  const path = `${named}${query}`;
  const headers = { ...attempt.headers, 'x-request-id': requestId };
  if (endpoint.rawResponse !== 'event-stream')
    return world.send(endpoint.method, path, { key, body, headers });
  return openAndLeave(`${path}?marketplaceId=${market.id}`, {
    ...headers,
    authorization: `Bearer ${key}`,
  });
}

/** A stream has no end to wait for: it is opened over a connection of its own and left. */
async function openAndLeave(path: string, headers: Record<string, string>) {
  const url = world.http.server.listening
    ? world.http.listeningOrigin
    : await world.http.listen({ host: '127.0.0.1', port: 0 });
  const response = await fetch(`${url}${SURFACE_A_BASE}${path}`, { headers });
  await response.body?.cancel();
  return { status: response.status, text: '' };
}

const endpointsOf = (surface: Readonly<Record<string, Endpoint>>) => Object.values(surface);

it('has a scenario for every endpoint that is served', () => {
  const served = world.http.served.map(({ endpoint }) => endpoint.id);
  expect(Object.keys(SCENARIOS).sort()).toEqual(served.sort());
});

describe('emits exactly the events that an endpoint declares', () => {
  for (const [id, scenarios] of Object.entries(SCENARIOS)) {
    const endpoint = endpointsOf(surfaceA).find((one) => one.id === id) as Endpoint;
    it(id, async () => {
      const seen = new Set<EventName>();
      for (const scenario of [...scenarios, ...(OWING[id] ?? [])]) {
        const attempt = await scenario();
        const types = await eventsOf(endpoint, attempt);
        for (const type of types) seen.add(type);
        const isRefused = attempt.refused && !attempt.isUndone;
        if (attempt.isRepeat || isRefused) expect(types, attempt.refused).toEqual([]);
      }
      expect([...seen].sort()).toEqual([...endpoint.emits].sort());
    });
  }
});

describe('emits exactly the events that a job declares', () => {
  /** Creates work for every job. */
  const prepare = async () => {
    await sentBefore(here(), 'credit', { amount: '1.00' });
    // The first may have been given the pooled wallet; the second waits for one.
    await market.user();
    await world.rows(`update idempotency set created_at = created_at - interval '2 days'`);
  };

  // What a recovery emits depends on what was lost: recover-database.test.ts compares it.
  for (const job of jobs.filter(({ name }) => name !== 'recover-database'))
    it(job.name, async () => {
      await prepare();
      if (job.name === 'expire-withdrawals') await overdueWithdrawal({ world, market });
      if (job.name === 'refresh-payouts') await duePayouts({ world, market });
      if (job.name === 'refresh-topups') await dueTopups({ world, market });
      const emitted = await emittedBy(() => job.run(world.worker));
      expect([...new Set(emitted.map(({ type }) => type))].sort()).toEqual([...job.emits].sort());
    });

  for (const job of custodyJobs)
    it(job.name, async () => {
      await prepare();
      const isInbox = job.name === 'apply-inbox';
      if (isInbox) await storeNotifications({ world, market });
      if (isInbox) await storePaymentNotifications({ world, market });
      if (job.name === 'credit-deposits') await depositSomething({ world, market });
      const emitted = await emittedBy(() => job.run(world.custody));
      expect([...new Set(emitted.map(({ type }) => type))].sort()).toEqual([...job.emits].sort());
    });
});

it('declares every event of the catalogue by an endpoint or a job', () => {
  const declared = new Set<EventName>(
    [...endpointsOf(surfaceA), ...endpointsOf(surfaceB), ...jobs, ...custodyJobs].flatMap(
      ({ emits }) => emits,
    ),
  );
  expect(EVENT_NAMES.filter((name) => !declared.has(name))).toEqual([]);
});
