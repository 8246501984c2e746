//! A platform admin adds somebody, who signs in with what was handed over, and chooses a password.
import assert from 'node:assert/strict';
import type { LocalOperator } from '../../../apps/cli/src/local-operators.ts';
import { totpCode } from '../../../apps/server/src/operators/totp.ts';
import { unbase32 } from '../../../apps/server/src/testing/operators.ts';
import { ON_DESK, photograph } from '../../browser/looks.ts';
import { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

const CODE_MS = 30_000;
const FIRST_PASSWORD = 'handed over on paper';
const NEW_PASSWORD = 'chosen by nobody else';

export async function addOperator(stage: Stage): Promise<() => Promise<void>> {
  const petra = await stage.at('petra');
  return () => play(stage, petra);
}

async function play(stage: Stage, petra: Operator): Promise<void> {
  const email = `nora-${Date.now().toString(36)}@holdfast.test`;
  const totpSecret = await add(stage, petra, email);
  await petra.page.getByRole('row').filter({ hasText: email }).waitFor();

  const who: LocalOperator = { email, password: FIRST_PASSWORD, totpSecret, role: 'support' };
  const nora = await Operator.arrive(stage.browser, stage.set.ready.api, who);
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

/** Gives the secret that is told once. */
async function add(stage: Stage, petra: Operator, email: string): Promise<string> {
  const { page } = petra;
  await petra.go('/operators');
  await petra.act(petra.button('Add an operator'), 'Add', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'Marketplaces' }).click();
    await page.getByRole('option').first().click();
    // A list of several stays open until somebody goes elsewhere.
    await dialog.getByRole('textbox', { name: 'Name' }).click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nora Newcomer');
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await dialog.getByRole('textbox', { name: 'First password' }).fill(FIRST_PASSWORD);
    await petra.choose(dialog, 'Role in', 'support: disputes, releases, refunds, cancellations');
    await dialog.getByRole('textbox', { name: 'Your code' }).fill(codeAfter(petra.who));
  });
  const told = (await page.getByTestId('secret').textContent()) ?? '';
  await photograph(page, 'operators-secret', stage.pictures, ON_DESK);
  await petra.button('I have it').click();
  const [secret = '', uri = ''] = told.split(/\s+/);
  assert.ok(uri.startsWith('otpauth://') && uri.includes(secret), told);
  return secret;
}

async function choosePassword(nora: Operator): Promise<void> {
  await nora.button(/^Signed in as/).click();
  const opener = nora.page.getByRole('menuitem', { name: 'Change password' });
  await nora.act(opener, 'Change it', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(FIRST_PASSWORD);
    await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW_PASSWORD);
    await dialog.getByRole('textbox', { name: 'New password again' }).fill(NEW_PASSWORD);
    await dialog.getByRole('textbox', { name: 'Your code' }).fill(codeAfter(nora.who));
  });
  await nora.page.getByText('Every other session of yours has ended').waitFor();
}

/** The one of now let them in; the next one is taken already. */
function codeAfter({ totpSecret }: LocalOperator): string {
  return totpCode(unbase32(totpSecret), Date.now() + CODE_MS);
}
