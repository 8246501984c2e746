//! The provider paid out twice and the books have one payout: reconciliation finds it, and two
//! operators book it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withdrawalScenarios } from '../../../../apps/cli/src/scenarios/withdrawal-scenarios.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const AMOUNT = '40.25';
/** A payout takes five seconds at the sandbox's provider. */
const PAYOUT_MS = 8_000;

export async function resolveException(environment: Environment): Promise<() => Promise<void>> {
  const withdrawalId = await payOutTwice(environment);
  const fiona = await environment.at('fiona');
  return () => run(environment, fiona, withdrawalId);
}

async function run(environment: Environment, fiona: Operator, withdrawalId: string): Promise<void> {
  const { page } = fiona;
  await fiona.go('/reconciliation');
  await fiona.act(fiona.button('Start run'), 'Start run');
  await page.waitForURL('**/reconciliation/rec_*');
  await page.getByText('The comparison is complete').waitFor();
  const row = page.getByRole('row').filter({ hasText: withdrawalId });
  await row.getByText('Duplicate payout').click();
  const drawer = page.getByRole('dialog', { name: /^Exception exc_/ });
  await drawer.getByText('The provider has a second payout for the same withdrawal').waitFor();
  const id = /exc_\w+/.exec(page.url())?.[0] ?? '';
  const dialog = await fiona.act(fiona.button('Post to suspense', drawer), 'Post to suspense');
  await dialog.getByText('Pending approval').waitFor();
  await fiona.button('Close', dialog).last().click();
  // Every posting needs a second approver, at any amount.
  const felix = await environment.at('felix');
  await felix.approve(id);
  await page.reload();
  await drawer.getByRole('heading', { name: 'Resolution', exact: true }).waitFor();

  const { status, amount, resolution } = await environment.holdfast.reconciliation.getException(id);
  assert.deepEqual([status, resolution?.action], ['RESOLVED', 'BOOK_TO_SUSPENSE']);
  assert.match(amount, new RegExp(`^-${AMOUNT}`));
}

/** Returns the withdrawal that the provider paid once on request and once more by itself. */
async function payOutTwice(environment: Environment): Promise<string> {
  const context = environment.scenarioContext(AMOUNT);
  const { id } = await withdrawalScenarios['withdrawal.completed'].run(context);
  const { destination } = await environment.holdfast.withdrawals.get(id);
  const code = randomUUID();
  const payout = await callProvider(environment, '/payouts', {
    airtmUserEmail: destination.ref,
    amount: Number(AMOUNT),
    notes: `Withdrawal ${id}`,
    code,
    commit: false,
  });
  await environment.world.settleWithdrawal(code);
  await callProvider(environment, `/payouts/${payout.id}/commit`, {});
  // Until then the payout is in flight and no exception.
  await sleep(PAYOUT_MS);
  return id;
}

async function callProvider(
  { set }: Environment,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const {
    HOLDFAST_PAYMENT_PROVIDER_URL: url,
    HOLDFAST_PAYMENT_PROVIDER_KEY: key,
    HOLDFAST_PAYMENT_PROVIDER_SECRET: secret,
  } = set.settings;
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${path} returned ${response.status}: ${text}`);
  return JSON.parse(text || '{}') as { id: string };
}
