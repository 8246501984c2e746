//! A key is rotated: its successor works, and the old one ends when the console says so.
import assert from 'node:assert/strict';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

const HOUR_MS = 3_600_000;

export async function rotateKey(stage: Stage): Promise<() => Promise<void>> {
  const { masterKey, marketplaceId } = stage.set.ready;
  const name = 'Shop that changes its key';
  const made = await stage
    .clientWith(masterKey)
    .keys.create({ name, scopes: ['read'], marketplaceId });
  const old = made.key ?? '';
  const adam = await stage.at('adam');
  return () => play(stage, adam, { ...made, key: old });
}

interface Key {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

async function play(stage: Stage, adam: Operator, { id: oldId, name, key: old }: Key) {
  await adam.go('/developers');
  const second = await rotate(adam, name, '1 hour');
  assert.deepEqual(await statuses(stage, old, second), [200, 200], 'both work for an hour');
  const keys = await stage.holdfast.keys.list({ limit: 100 }).toArray(100);
  const { expiresAt } = keys.find(({ id }) => id === oldId) ?? {};
  const leftMs = Date.parse(expiresAt ?? '') - Date.now();
  assert.ok(leftMs > 0.9 * HOUR_MS && leftMs <= HOUR_MS, `the old one ends at ${expiresAt}`);

  const third = await rotate(adam, name, 'no time');
  assert.deepEqual(await statuses(stage, second, third), [401, 200], 'the old one ends at once');
}

/** The newest of that name; gives the successor's secret. */
async function rotate(adam: Operator, name: string, overlap: string): Promise<string> {
  const { page } = adam;
  const row = page.getByRole('row').filter({ hasText: name }).first();
  await adam.act(adam.button('Rotate', row), 'Rotate', (dialog) =>
    adam.choose(dialog, 'The old key works too for', overlap),
  );
  const key = (await page.getByText(/^hf_\w+$/).textContent()) ?? '';
  await adam.button('I have it').click();
  return key;
}

async function statuses({ set }: Stage, ...keys: readonly string[]): Promise<number[]> {
  const asked = keys.map((key) =>
    fetch(`${set.ready.api}/api/v1/users`, { headers: { authorization: `Bearer ${key}` } }),
  );
  return (await Promise.all(asked)).map(({ status }) => status);
}
