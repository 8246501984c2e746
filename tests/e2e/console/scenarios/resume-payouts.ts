//! One platform admin requests to resume payouts, another one resumes them.
import assert from 'node:assert/strict';
import { expectAccessible, ON_DESK, photograph } from '../../../harness/browser/appearances.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function resumePayouts(environment: Environment): Promise<() => Promise<void>> {
  const [petra, paul] = [await environment.at('petra'), await environment.at('paul')];
  const master = environment.clientWith(environment.set.ready.masterKey);
  await master.payouts.pause({ reason: 'A provider reports an incident' });
  return () => run(environment, petra, paul);
}

async function run(environment: Environment, petra: Operator, paul: Operator): Promise<void> {
  const { pictures } = environment;
  await petra.go('/solvency');
  await petra.page.getByText('A provider reports an incident').waitFor();
  await petra.act(
    petra.button('Request to resume payouts'),
    'Request to resume payouts',
    async (form) => {
      await petra.fillCode(form);
      await photograph(petra.page, 'resume-request', pictures, ON_DESK);
      await expectAccessible(petra.page);
    },
  );
  await petra.page.getByText('Request recorded').waitFor();
  await petra.expectOff('Resume payouts', 'Another platform admin has to confirm your request');

  await paul.go('/solvency');
  await paul.page.getByText('Petra Platform').first().waitFor();
  await photograph(paul.page, 'resume-requested', pictures, ON_DESK);
  await paul.act(paul.button('Resume payouts'), 'Resume payouts', (form) => paul.fillCode(form));
  await paul.page.getByText('Payouts active').waitFor();
  const { payoutsPaused } = await environment.holdfast.solvency.get();
  assert.equal(payoutsPaused, false);
}
