import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Faults } from './faults.ts';
import { Store } from './store.ts';

it('strikes as often as it was armed, the oldest first, and then no more, over a restart too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const faults = new Faults(new Store(folder));
  faults.arm({ provider: 'escrow', operation: 'fund', kind: 'slow', times: 2 });
  faults.arm({ provider: 'escrow', operation: 'fund', kind: 'reject', times: 1 });
  expect(faults.take('escrow', 'release')).toBeUndefined();
  expect(faults.take('escrow', 'fund')).toBe('slow');
  const again = new Faults(new Store(folder));
  expect(again.take('escrow', 'fund', ['reject'])).toBe('reject');
  expect([again.take('escrow', 'fund'), again.take('escrow', 'fund')]).toEqual(['slow', undefined]);
  again.arm({ provider: 'ledger', operation: 'submit', kind: 'garbage', times: 5 });
  again.clear();
  expect(new Faults(new Store(folder)).armed()).toEqual([]);
  rmSync(folder, { recursive: true });
});
