//! A platform admin requests a role in a marketplace, and only another platform admin can approve
//! it. The new member of the marketplace then finds the request under Approvals, Platform.
import assert from 'node:assert/strict';
import { expectAccessible, ON_DESK, photograph } from '../../../harness/browser/appearances.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function approveOwnRole(environment: Environment): Promise<() => Promise<void>> {
  const [petra, paul] = [await environment.at('petra'), await environment.at('paul')];
  return () => run(environment, petra, paul);
}

async function run(environment: Environment, petra: Operator, paul: Operator): Promise<void> {
  const { pictures } = environment;
  const request = await requestRole(environment, paul);
  await paul.go(request);
  await paul.page.getByText('You cannot approve your own request.').waitFor();
  assert.equal(await paul.button('Approve').count(), 0, 'the requester sees no button');

  await petra.go(request);
  const card = petra.page.getByRole('article');
  await card.getByText('Operator: Paul Platform (paul@holdfast.test).').waitFor();
  await card.getByText(/^Assigns the viewer role in /).waitFor();
  await photograph(petra.page, 'approvals-platform', pictures, ON_DESK);
  await expectAccessible(petra.page);
  await petra.act(petra.button('Approve', card), 'Approve and execute');
  await card.getByText('Executed').waitFor();

  await paul.go('/approvals?status=all');
  await paul.page.getByRole('radiogroup', { name: 'Approvals' }).getByText('Platform').click();
  const executed = paul.page.getByRole('article').filter({ hasText: 'Paul Platform' });
  await executed.getByText('Decided by').waitFor();
  await photograph(paul.page, 'approvals-platform-choice', pictures, ON_DESK);
}

/** Returns the path of the request in the console. */
async function requestRole({ pictures }: Environment, paul: Operator): Promise<string> {
  const { page } = paul;
  await paul.go('/operators');
  await page.getByRole('row').filter({ hasText: 'Paul Platform' }).click();
  const dialog = await paul.act(paul.button('Change roles'), 'Save roles', async (form) => {
    await paul.chooseRole(form, 'viewer: view all data, no changes');
    await paul.fillCode(form);
    await photograph(page, 'operators-roles-request', pictures, ON_DESK);
  });
  await dialog.getByText('Pending approval').waitFor();
  const link = dialog.getByRole('link', { name: 'View request' });
  return ((await link.getAttribute('href')) ?? '').replace(/^\/console/, '');
}
