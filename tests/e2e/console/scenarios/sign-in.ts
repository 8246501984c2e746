//! Sign-in succeeds with password and code, and a wrong code shows an error.
import assert from 'node:assert/strict';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

export async function signIn(environment: Environment): Promise<() => Promise<void>> {
  const adam = await environment.arrival('adam');
  return () => run(environment, adam);
}

async function run(environment: Environment, adam: Operator): Promise<void> {
  await adam.signIn('000000');
  const alert = (await adam.page.getByRole('alert').textContent()) ?? '';
  assert.match(alert, /email, password or code is invalid/i);
  assert.match(alert, /Use your current two-factor code/i);
  assert.equal(await adam.page.getByRole('textbox', { name: 'Two-factor code' }).inputValue(), '');
  await adam.signIn();
  await adam.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await adam.page.getByRole('button', { name: 'Signed in as Adam Admin' }).waitFor();
  environment.store('adam', adam);
}
