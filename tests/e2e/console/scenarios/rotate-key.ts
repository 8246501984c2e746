//! A key that two admins rotate has a working successor, and the old key expires as they chose.
import assert from 'node:assert/strict';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const HOUR_MS = 3_600_000;

export async function rotateKey(environment: Environment): Promise<() => Promise<void>> {
  const { masterKey, marketplaceId } = environment.set.ready;
  const name = 'Shop that changes its key';
  const created = await environment
    .clientWith(masterKey)
    .keys.create({ name, scopes: ['read'], marketplaceId });
  const old = created.key ?? '';
  const [adam, anna] = await Promise.all([environment.at('adam'), environment.at('anna')]);
  return () => run(environment, { adam, anna }, { ...created, key: old });
}

interface People {
  readonly adam: Operator;
  readonly anna: Operator;
}

interface Key {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

async function run(environment: Environment, { adam, anna }: People, key: Key): Promise<void> {
  const { id: oldId, name, key: old } = key;
  await adam.go('/developers');
  const row = () => adam.page.getByRole('row').filter({ hasText: name }).first();
  const dialog = await adam.act(adam.button('Rotate', row()), 'Request approval', async (form) => {
    await adam.choose(form, 'Old key valid for', '1 hour');
    await adam.fillCode(form);
  });
  await dialog.getByText('Pending approval').waitFor();
  await adam.button('Close', dialog).last().click();
  await anna.approve(oldId, `Creates a successor of the API key “${name}”`);

  await adam.go('/developers');
  await adam.act(adam.button('Fetch secret', row()), 'Fetch secret');
  const successor = (await adam.page.getByText(/^hf_\w+$/).textContent()) ?? '';
  await adam.button('Done').click();
  assert.deepEqual(await statuses(environment, old, successor), [200, 200], 'both keys work');
  const keys = await environment.holdfast.keys.list({ limit: 100 }).toArray(100);
  const { expiresAt } = keys.find(({ id }) => id === oldId) ?? {};
  const leftMs = Date.parse(expiresAt ?? '') - Date.now();
  assert.ok(leftMs > 0.9 * HOUR_MS && leftMs <= HOUR_MS, `the old key expires at ${expiresAt}`);
  assert.equal(
    keys.find(({ rotatedFrom }) => rotatedFrom === oldId)?.approvedBy?.name,
    'Anna Admin',
  );
}

async function statuses({ set }: Environment, ...keys: readonly string[]): Promise<number[]> {
  const responses = keys.map((key) =>
    fetch(`${set.ready.api}/api/v1/users`, { headers: { authorization: `Bearer ${key}` } }),
  );
  return (await Promise.all(responses)).map(({ status }) => status);
}
