//! Password and code open the door; a wrong code does not, and says so.
import assert from 'node:assert/strict';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

export async function signIn(stage: Stage): Promise<() => Promise<void>> {
  const adam = await stage.arrival('adam');
  return () => play(stage, adam);
}

async function play(stage: Stage, adam: Operator): Promise<void> {
  await adam.signIn('000000');
  const told = (await adam.page.getByRole('alert').textContent()) ?? '';
  assert.match(told, /e-mail, password or code is wrong/i);
  assert.match(told, /code of this moment/i);
  assert.equal(await adam.page.getByRole('textbox', { name: 'Code' }).inputValue(), '');
  await adam.signIn();
  await adam.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await adam.page.getByRole('button', { name: 'Signed in as Adam Admin' }).waitFor();
  stage.keep('adam', adam);
}
