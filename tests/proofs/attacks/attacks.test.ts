//! Every fix that `--without-fixes` switches off is where its attack says.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Fault, misfitOf } from '../../../tools/planted/fault.ts';
import { readAttacks } from './read-attacks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FIXES: readonly Fault[] = (await readAttacks()).flatMap(({ id, title, withoutFix }) =>
  withoutFix === undefined ? [] : [{ name: id, why: title, ...withoutFix }],
);

it('has at least eight fixes to switch off', () => {
  expect(FIXES.length).toBeGreaterThan(7);
});

it.each(FIXES)('$name has its text in its file once', (fix) => {
  expect(misfitOf(ROOT, fix)).toBeUndefined();
  expect(fix.replace).not.toBe(fix.find);
});
