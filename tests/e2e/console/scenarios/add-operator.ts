//! A platform admin invites an operator, who sets up the account in another browser. A second
//! platform admin activates it, and the operator signs in and changes the password.
import assert from 'node:assert/strict';
import type { LocalOperator } from '../../../../apps/cli/src/local-operators.ts';
import { ON_DESK, photograph } from '../../../harness/browser/appearances.ts';
import { codeBefore } from '../../../harness/two-factor-codes.ts';
import type { Environment } from '../environment.ts';
import { Operator } from '../operator.ts';

const PASSWORD = 'chosen by the operator';
const NEW_PASSWORD = 'chosen a second time';

export async function addOperator(environment: Environment): Promise<() => Promise<void>> {
  const [petra, paul] = [await environment.at('petra'), await environment.at('paul')];
  return () => run(environment, petra, paul);
}

async function run(environment: Environment, petra: Operator, paul: Operator): Promise<void> {
  const email = `nora-${Date.now().toString(36)}@holdfast.test`;
  const link = await invite(environment, petra, email);
  await petra.page.getByRole('row').filter({ hasText: email }).getByText('Invited').waitFor();

  const who: LocalOperator = { email, password: PASSWORD, totpSecret: '', role: 'support' };
  const visitor = await Operator.arrive(environment.browser, environment.set.ready.api, who);
  try {
    const { code, totpSecret } = await enroll(environment, visitor, link);
    await expectOwnRefused(environment, petra, email);
    await activate(environment, paul, email, code);
    await signIn(environment, { ...who, totpSecret });
    visitor.expectQuiet();
  } finally {
    await visitor.context.close();
  }
}

/** Returns the link, which is shown once. */
async function invite(environment: Environment, petra: Operator, email: string): Promise<string> {
  const { page } = petra;
  await petra.go('/operators');
  await petra.act(petra.button('Invite operator'), 'Invite', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nora Newcomer');
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email);
    await petra.chooseRole(dialog, 'support: disputes, releases, refunds, cancellations');
    await petra.fillCode(dialog);
    await photograph(page, 'operators-invite', environment.pictures, ON_DESK);
  });
  const link = (await page.getByTestId('secret').textContent()) ?? '';
  await photograph(page, 'operators-link', environment.pictures, ON_DESK);
  await petra.button('Done').click();
  assert.match(link, /^http.*\/console\/enroll#[\w-]{43}$/);
  return link;
}

/** Opens the link as the person does; returns the confirmation code and the secret. */
async function enroll({ pictures }: Environment, visitor: Operator, link: string) {
  const { page } = visitor;
  await page.goto(link);
  const totpSecret = (await page.getByTestId('secret').textContent()) ?? '';
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(PASSWORD);
  const totp = codeBefore(totpSecret);
  await page.getByRole('textbox', { name: 'Two-factor code' }).fill(totp);
  await photograph(page, 'enroll', pictures, ON_DESK);
  await visitor.button('Set up account').click();
  const code = (await page.getByTestId('confirmation-code').textContent()) ?? '';
  await photograph(page, 'enroll-code', pictures, ON_DESK);
  assert.ok(!page.url().includes('#'), 'the used link is gone from the address');
  return { code, totpSecret };
}

/** The admin who invited cannot activate. */
async function expectOwnRefused(
  { pictures }: Environment,
  petra: Operator,
  email: string,
): Promise<void> {
  await petra.go('/operators');
  await petra.page.getByRole('row').filter({ hasText: email }).click();
  await petra.button('Activate').waitFor();
  await photograph(petra.page, 'operators-enrolled', pictures, ON_DESK);
  await petra.expectOff('Activate', 'You invited or reset this operator');
}

async function activate(
  { pictures }: Environment,
  paul: Operator,
  email: string,
  code: string,
): Promise<void> {
  const { page } = paul;
  await paul.go('/operators');
  await page.getByRole('row').filter({ hasText: email }).click();
  await paul.act(paul.button('Activate'), 'Activate', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Confirmation code' }).fill(code);
    await paul.fillCode(dialog);
    await photograph(page, 'operators-activate', pictures, ON_DESK);
  });
  await page.getByText('Nora Newcomer activated').waitFor();
  await page.getByText('Can approve from').waitFor();
  await photograph(page, 'operators-activated', pictures, ON_DESK);
}

async function signIn(environment: Environment, who: LocalOperator): Promise<void> {
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

async function choosePassword(nora: Operator): Promise<void> {
  await nora.button(/^Signed in as/).click();
  const opener = nora.page.getByRole('menuitem', { name: 'Change password' });
  await nora.act(opener, 'Change password', async (dialog) => {
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
    await dialog.getByRole('textbox', { name: 'New password', exact: true }).fill(NEW_PASSWORD);
    await dialog.getByRole('textbox', { name: 'Confirm new password' }).fill(NEW_PASSWORD);
    await nora.fillCode(dialog);
  });
  await nora.page.getByText('All your other sessions are signed out').waitFor();
}
