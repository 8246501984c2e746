//! A withdrawal that is not sent yet is canceled: its money is available again, and the button says
//! why it can not be canceled twice.
import assert from 'node:assert/strict';
import { withdrawalScenarios } from '../../../../apps/cli/src/scenarios/withdrawal-scenarios.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const AMOUNT = '30.75';

export async function cancelWithdrawal(environment: Environment): Promise<() => Promise<void>> {
  const context = environment.scenarioContext(AMOUNT);
  const withdrawal = await withdrawalScenarios['withdrawal.created'].run(context);
  const [sam, fiona] = await Promise.all([environment.at('sam'), environment.at('fiona')]);
  return () => run(environment, { sam, fiona }, withdrawal.id);
}

interface People {
  readonly sam: Operator;
  readonly fiona: Operator;
}

async function run({ holdfast }: Environment, { sam, fiona }: People, id: string) {
  await sam.go(`/withdrawals/${id}`);
  await sam.expectOff('Cancel withdrawal', 'Requires the finance or admin role');
  await fiona.go(`/withdrawals/${id}`);
  await fiona.act(fiona.button('Cancel withdrawal'), 'Cancel withdrawal', async (dialog) => {
    await dialog.getByText(`Returns ${AMOUNT} USD to the user’s available balance.`).waitFor();
    await dialog.getByText('Nothing has been sent.').waitFor();
  });
  await fiona.page.getByText('Withdrawal canceled').first().waitFor();
  await fiona.expectOff(
    'Cancel withdrawal',
    'A withdrawal with status canceled cannot be canceled',
  );
  const { status, userId, failureReason } = await holdfast.withdrawals.get(id);
  assert.equal(status, 'WITHDRAWAL_CANCELED');
  assert.match(failureReason ?? '', /console test/);
  const { available, reserved } = await holdfast.balances.get(userId);
  assert.deepEqual([available, reserved], [AMOUNT, '0.00']);
}
