//! A platform admin adds an operator, who signs in with the initial password and changes it.
import assert from 'node:assert/strict';
import type { LocalOperator } from '../../../../apps/cli/src/local-operators.ts';
import { ON_DESK, photograph } from '../../../harness/browser/appearances.ts';
import type { Environment } from '../environment.ts';
import { codeAfter, Operator } from '../operator.ts';

const FIRST_PASSWORD = 'handed over on paper';
const NEW_PASSWORD = 'chosen by the operator';

export async function addOperator(environment: Environment): Promise<() => Promise<void>> {
  const petra = await environment.at('petra');
  return () => run(environment, petra);
}

async function run(environment: Environment, petra: Operator): Promise<void> {
  const email = `nora-${Date.now().toString(36)}@holdfast.test`;
  const totpSecret = await add(environment, petra, email);
  await petra.page.getByRole('row').filter({ hasText: email }).waitFor();

  const who: LocalOperator = { email, password: FIRST_PASSWORD, totpSecret, role: 'support' };
  const nora = await Operator.arrive(environment.browser, environment.set.ready.api, who);
  try {
    await nora.signIn();
    await nora.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await choosePassword(nora);
    await nora.go('/users');
    nora.expectQuiet();
  } finally {
    await nora.context.close();
  }
}

/** Returns the two-factor secret, which is shown once. */
async function add(environment: Environment, petra: Operator, email: string): Promise<string> {
  const { page } = petra;
  await petra.go('/operators');
  await petra.act(petra.button('Add operator'), 'Add', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'Marketplaces' }).click();
    await page.getByRole('option').first().click();
    // A multi-select list stays open until another field has the focus.
    await dialog.getByRole('textbox', { name: 'Name' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nora Newcomer');
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
    await dialog.getByRole('textbox', { name: 'Initial password' }).fill(FIRST_PASSWORD);
    await petra.choose(dialog, 'Role in', 'support: disputes, releases, refunds, cancellations');
    await dialog.getByRole('textbox', { name: 'Two-factor code' }).fill(codeAfter(petra.who));
  });
  const shown = (await page.getByTestId('secret').textContent()) ?? '';
  await photograph(page, 'operators-secret', environment.pictures, ON_DESK);
  await petra.button('Done').click();
  const [secret = '', uri = ''] = shown.split(/\s+/);
  assert.ok(uri.startsWith('otpauth://') && uri.includes(secret), shown);
  return secret;
}

async function choosePassword(nora: Operator): Promise<void> {
  await nora.button(/^Signed in as/).click();
  const opener = nora.page.getByRole('menuitem', { name: 'Change password' });
  await nora.act(opener, 'Change password', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(FIRST_PASSWORD);
    await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW_PASSWORD);
    await dialog.getByRole('textbox', { name: 'Confirm new password' }).fill(NEW_PASSWORD);
    await dialog.getByRole('textbox', { name: 'Two-factor code' }).fill(codeAfter(nora.who));
  });
  await nora.page.getByText('All your other sessions are signed out').waitFor();
}
