//! Every scenario of `trigger` ends in its state, and the demo can be seeded repeatedly.
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';
import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { welcomeLines } from '../../../apps/cli/src/dev/screen.ts';
import type { Readiness } from '../../../apps/cli/src/local-readiness.ts';
import { SCENARIOS } from '../../../apps/cli/src/scenarios/scenarios.ts';
import { seedDemo } from '../../../apps/cli/src/scenarios/seed-demo.ts';
import { openTerminal } from '../../../apps/cli/src/terminal/terminal.ts';
import * as sandbox from '../../../apps/sandbox/src/faults.ts';
import { call, dataOf } from '../../harness/api.ts';
import { createMarketplace } from '../../harness/people.ts';
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
  'withdrawal.undelivered': 'WITHDRAWAL_FAILED',
  'withdrawal.canceled': 'WITHDRAWAL_CANCELED',
  'withdrawal.user_action': 'WITHDRAWAL_PENDING_USER_ACTION',
  'withdrawal.unknown_outcome': 'WITHDRAWAL_(PENDING|COMPLETED)',
  // Last, because it sets the clock forward.
  'topup.expired': 'TOPUP_CANCELED',
};

interface ScenarioResult {
  readonly id: string;
  readonly status: string;
  readonly steps: readonly string[];
}

test('every scenario has a test here', () => {
  expect(Object.keys(ENDS).toSorted()).toEqual(Object.keys(SCENARIOS).toSorted());
});

test('seeding the demo again creates nothing new', TIMEOUT, async () => {
  const { ready } = marketplace.set;
  const { key: apiKey } = await createMarketplace(ready, 'demo', {
    scopes: ['read', 'write', 'support'],
  });
  const seed = () => seedDemo({ api: ready.api, apiKey, sandbox: ready.sandbox ?? '' });
  const list = async (path: string) =>
    dataOf<{ status: string }[]>(path, await call({ api: ready.api, apiKey }, { path }));
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
  // The call that `holdfast dev` prints works on a first run and on every later one.
  for (const _ of [1, 2])
    expect(
      JSON.parse(execFileSync('bash', ['-c', callOf({ ...ready, apiKey })], QUIET)),
    ).toMatchObject({ data: { success: true, data: { externalUserId: 'grace' } } });
});

const QUIET: ExecFileSyncOptionsWithStringEncoding = {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
};

/** The curl command of the welcome screen, as a person copies it. */
function callOf(ready: Readiness): string {
  const silent = { write: () => undefined };
  const terminal = openTerminal({ stdout: silent, stderr: silent, env: {} }, false);
  const facts = { docs: undefined, console: undefined, log: '', startMs: 0, isPersistent: false };
  const text = welcomeLines(terminal, { ...facts, ready }).join('\n');
  return /curl [\s\S]*?[^\\]\n/.exec(text)?.[0] ?? '';
}

test.each(Object.entries(ENDS))('%s ends in %s', TIMEOUT, async (name, end) => {
  const result = await marketplace.read<ScenarioResult>(`trigger ${name}`);
  expect(result.status).toMatch(new RegExp(`^${end}$`));
  expect(result.steps.length).toBeGreaterThan(1);
});

test('trigger uses the amount of --amount', TIMEOUT, async () => {
  const { id } = await marketplace.read<ScenarioResult>('trigger dispute.opened --amount 33.33');
  const { orderId } = await marketplace.read<{ orderId: string }>(`disputes get ${id}`);
  expect(await marketplace.read(`orders get ${orderId}`)).toMatchObject({ amount: '33.33' });
});

test('the CLI lists the same faults as the sandbox', () => {
  expect(FAULT_OPERATIONS).toEqual(sandbox.FAULT_OPERATIONS);
  expect(Object.keys(FAULT_KINDS)).toEqual(Object.keys(sandbox.FAULT_KINDS));
});
