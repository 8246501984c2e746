//! A rotated key has a working successor, and the old key expires at the time the console shows.
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
  const adam = await environment.at('adam');
  return () => run(environment, adam, { ...created, key: old });
}

interface Key {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

async function run(environment: Environment, adam: Operator, { id: oldId, name, key: old }: Key) {
  await adam.go('/developers');
  const second = await rotate(adam, name, '1 hour');
  assert.deepEqual(
    await statuses(environment, old, second),
    [200, 200],
    'both keys work for an hour',
  );
  const keys = await environment.holdfast.keys.list({ limit: 100 }).toArray(100);
  const { expiresAt } = keys.find(({ id }) => id === oldId) ?? {};
  const leftMs = Date.parse(expiresAt ?? '') - Date.now();
  assert.ok(leftMs > 0.9 * HOUR_MS && leftMs <= HOUR_MS, `the old key expires at ${expiresAt}`);

  const third = await rotate(adam, name, 'Not at all (expires immediately)');
  assert.deepEqual(
    await statuses(environment, second, third),
    [401, 200],
    'the old key expires at once',
  );
}

/** Rotates the newest key of that name; returns the successor's secret. */
async function rotate(adam: Operator, name: string, overlap: string): Promise<string> {
  const { page } = adam;
  const row = page.getByRole('row').filter({ hasText: name }).first();
  await adam.act(adam.button('Rotate', row), 'Rotate', (dialog) =>
    adam.choose(dialog, 'Old key valid for', overlap),
  );
  const key = (await page.getByText(/^hf_\w+$/).textContent()) ?? '';
  await adam.button('Done').click();
  return key;
}

async function statuses({ set }: Environment, ...keys: readonly string[]): Promise<number[]> {
  const responses = keys.map((key) =>
    fetch(`${set.ready.api}/api/v1/users`, { headers: { authorization: `Bearer ${key}` } }),
  );
  return (await Promise.all(responses)).map(({ status }) => status);
}
