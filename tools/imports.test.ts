//! Names each import rule that does not find its planted breach. `npm run imports` reads the
//! planted files and the repository itself.
import { expect, it } from 'vitest';
import { blindRules } from './imports.ts';

it('a rule that does not find its planted breach is reported as blind', () => {
  expect(blindRules({ modules: 0, violations: [], rules: ['no cycle'] })).toEqual(['no cycle']);
});
