//! The terms of a marketplace are changed by two operators, and shown with who set them.
import assert from 'node:assert/strict';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function setTerms(environment: Environment): Promise<() => Promise<void>> {
  const [sam, fiona] = await Promise.all([environment.at('sam'), environment.at('fiona')]);
  return () => run(environment, { sam, fiona });
}

interface People {
  readonly sam: Operator;
  readonly fiona: Operator;
}

async function run(environment: Environment, { sam, fiona }: People): Promise<void> {
  await sam.go('/solvency');
  await sam.expectOff('Change terms', 'Requires the finance or admin role');
  await fiona.go('/solvency');
  const terms = fiona.page.getByRole('region', { name: 'Terms', exact: true });
  await terms.getByText('1,000.00 USD').waitFor();
  const limit = 'Payouts stop when users owe more than (USD, all users together)';
  const dialog = await fiona.act(fiona.button('Change terms'), 'Request approval', async (form) => {
    await form.getByText('Change at least one term').waitFor();
    await form.getByText('Stays active').click();
    await form.getByRole('textbox', { name: limit }).fill('2500');
  });
  await dialog.getByText('Pending approval').waitFor();
  const request = dialog.getByRole('link', { name: 'View request' });
  const approvalId = /apr_\w+/.exec((await request.getAttribute('href')) ?? '')?.[0] ?? '';
  await fiona.button('Close', dialog).last().click();
  await terms.getByText('is frozen').waitFor();
  const felix = await environment.at('felix');
  const { resourceId } = await environment.holdfast.approvals.get(approvalId);
  await felix.approve(
    resourceId,
    'Payouts stop when users owe more than: 2,500.00 USD (now: 1,000.00 USD).',
  );
  await fiona.go('/solvency');
  await terms.getByText('2,500.00 USD').waitFor();
  await terms.getByText('stays active').waitFor();
  await terms.getByText(/^Version 1, set/).waitFor();
  assert.equal((await environment.holdfast.approvals.get(approvalId)).status, 'EXECUTED');
}
