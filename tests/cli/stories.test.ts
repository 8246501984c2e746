//! Every story that `trigger` can play ends as it says, and the demo can be set up again and again.
import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCENARIOS } from '../../apps/cli/src/scenarios/scenarios.ts';
import { seedDemo } from '../../apps/cli/src/scenarios/seed-demo.ts';
import * as sandbox from '../../apps/sandbox/src/faults.ts';
import { ask, dataOf } from '../harness/api.ts';
import { makeMarketplace } from '../harness/people.ts';
import { type Marketplace, openMarketplace } from './marketplace.ts';

const TIMEOUT = { timeout: 90_000 };

let marketplace: Marketplace;
beforeAll(async () => {
  marketplace = await openMarketplace();
}, 240_000);
afterAll(() => marketplace?.stop(), 60_000);

const ENDS: Readonly<Record<string, string>> = {
  'order.created': 'ORDER_CREATED',
  'order.reserved': 'FUNDS_RESERVED',
  'order.escrow': 'ESCROW_FUNDING',
  'order.funded': 'IN_PROGRESS',
  'order.released': 'CLOSED',
  'order.refunded': 'CLOSED',
  'order.canceled': 'CLOSED',
  'order.milestones': 'CLOSED',
  'order.funding_refused': 'FUNDS_RESERVED',
  'order.unknown_outcome': 'CLOSED',
  'dispute.opened': 'OPEN',
  'dispute.under_review': 'UNDER_REVIEW',
  'dispute.release': 'RESOLVED',
  'dispute.refund': 'RESOLVED',
  'dispute.split': 'RESOLVED',
  'topup.created': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'topup.processing': 'TOPUP_PROCESSING',
  'topup.succeeded': 'TOPUP_SUCCEEDED',
  'topup.failed': 'TOPUP_FAILED',
  'topup.abandoned': 'TOPUP_CANCELED',
  'topup.canceled': 'TOPUP_CANCELED',
  'topup.unknown_outcome': 'TOPUP_AWAITING_USER_CONFIRMATION',
  'withdrawal.created': 'WITHDRAWAL_CREATED',
  'withdrawal.pending': 'WITHDRAWAL_PENDING',
  'withdrawal.completed': 'WITHDRAWAL_COMPLETED',
  'withdrawal.failed': 'WITHDRAWAL_FAILED',
  'withdrawal.returned': 'WITHDRAWAL_FAILED',
  'withdrawal.canceled': 'WITHDRAWAL_CANCELED',
  'withdrawal.user_action': 'WITHDRAWAL_PENDING_USER_ACTION',
  'withdrawal.unknown_outcome': 'WITHDRAWAL_(PENDING|COMPLETED)',
  // Last: it sets the clock forward.
  'topup.expired': 'TOPUP_CANCELED',
};

interface Played {
  readonly id: string;
  readonly status: string;
  readonly steps: readonly string[];
}

test('every story is tried here', () => {
  expect(Object.keys(ENDS).toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
});

test('the demo is set up once, however often it is asked for', TIMEOUT, async () => {
  const { ready } = marketplace.set;
  const { key: apiKey } = await makeMarketplace(ready, 'demo', {
    scopes: ['read', 'write', 'support'],
  });
  const seed = () => seedDemo({ api: ready.api, apiKey, sandbox: ready.sandbox ?? '' });
  const list = async (path: string) =>
    dataOf<{ status: string }[]>(path, await ask({ api: ready.api, apiKey }, { path }));
  const all = async () =>
    Promise.all(
      ['orders', 'topups', 'withdrawals', 'disputes', 'users'].map(
        async (what) => (await list(`/${what}?limit=100`)).length,
      ),
    );
  const { orders } = await seed();
  const before = await all();
  expect(before).toEqual([orders, 4, 5, 3, 8]);
  await seed();
  expect(await all()).toEqual(before);
  const states = await list('/orders?limit=100');
  expect([...new Set(states.map(({ status }) => status))].toSorted()).toEqual([
    'CLOSED',
    'DISPUTED',
    'ESCROW_FUNDING',
    'FUNDS_RESERVED',
    'IN_PROGRESS',
    'ORDER_CREATED',
  ]);
});

test.each(Object.entries(ENDS))('%s ends as %s', TIMEOUT, async (name, end) => {
  const played = await marketplace.read<Played>(`trigger ${name}`);
  expect(played.status).toMatch(new RegExp(`^${end}$`));
  expect(played.steps.length).toBeGreaterThan(1);
});

test('the amount is as asked for', TIMEOUT, async () => {
  const { id } = await marketplace.read<Played>('trigger dispute.opened --amount 33.33');
  const { orderId } = await marketplace.read<{ orderId: string }>(`disputes get ${id}`);
  expect(await marketplace.read(`orders get ${orderId}`)).toMatchObject({ amount: '33.33' });
});

test('what is said of faults is what the sandbox knows', () => {
  expect(FAULT_OPERATIONS).toEqual(sandbox.FAULT_OPERATIONS);
  expect(Object.keys(FAULT_KINDS)).toEqual(Object.keys(sandbox.FAULT_KINDS));
});
