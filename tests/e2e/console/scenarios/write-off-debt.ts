//! A bank takes a payment back after it was spent: the user's page shows the debt and the top-up it
//! came from, and two operators write a part of it off.
import assert from 'node:assert/strict';
import type { Topup } from '@holdfast/sdk';
import { topupScenarios } from '../../../../apps/cli/src/scenarios/topup-scenarios.ts';
import { eventually } from '../../../../apps/server/src/testing/until.ts';
import { reversePayin } from '../../../harness/sandbox.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function writeOffDebt(environment: Environment): Promise<() => Promise<void>> {
  const topup = await reversedTopup(environment, '50.00', '45.00');
  const [sam, fiona] = await Promise.all([environment.at('sam'), environment.at('fiona')]);
  return () => run(environment, { sam, fiona }, topup);
}

interface People {
  readonly sam: Operator;
  readonly fiona: Operator;
}

async function run(environment: Environment, { sam, fiona }: People, topup: Topup) {
  const { userId } = topup;
  await sam.go(`/users/${userId}`);
  await sam.expectOff('Write off', 'Requires the finance or admin role');
  await fiona.go(`/users/${userId}`);
  const debts = fiona.page.getByRole('region', { name: 'Debts' });
  await debts.getByText('45.00 USD').first().waitFor();
  const origin = debts.getByRole('row').filter({ hasText: 'Debt opened by a top-up' });
  await origin.getByRole('link').first().waitFor();
  assert.match((await origin.getByRole('link').first().getAttribute('href')) ?? '', /topups/);
  const dialog = await fiona.act(fiona.button('Write off', debts), 'Request approval', (form) =>
    form.getByRole('textbox', { name: 'Amount (USD)' }).fill('40'),
  );
  await dialog.getByText('Pending approval').waitFor();
  await fiona.button('Close', dialog).last().click();
  assert.equal(await owedBy(environment, userId), '45.00', 'it waits for the second approver');
  const felix = await environment.at('felix');
  await felix.approve(userId, 'Debt: 45.00 USD before, 5.00 USD after.');
  assert.equal(await owedBy(environment, userId), '5.00');
  await debts.getByText('Debt written off').waitFor();
}

async function owedBy({ holdfast }: Environment, userId: string): Promise<string | undefined> {
  const [debt] = await holdfast.users.listDebts(userId);
  return debt?.owed;
}

/** The user has spent this much of it before the bank took it back. */
async function reversedTopup(
  environment: Environment,
  amount: string,
  spent: string,
): Promise<Topup> {
  const { holdfast, set } = environment;
  const context = environment.scenarioContext(amount);
  const { id } = await topupScenarios['topup.succeeded'].run(context);
  // Its record has been read, so no poll is under way that began before the reversal.
  const { userId } = await eventually(30_000, async () => {
    const topup = await holdfast.topups.get(id);
    assert.notEqual(topup.providerFee, null);
    return topup;
  });
  await holdfast.balances.debit(userId, { amount: spent });
  await reversePayin(set.ready.sandbox ?? '', id);
  return holdfast.topups.refresh(id);
}
