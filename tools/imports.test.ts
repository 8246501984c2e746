//! A rule that finds nothing of what is planted for it is named. What is planted, and the
//! repository itself, are read by `npm run imports`.
import { expect, it } from 'vitest';
import { blindRules } from './imports.ts';

it('rules count as blind when they find nothing', () => {
  expect(blindRules({ modules: 0, violations: [], rules: ['no cycle'] })).toEqual(['no cycle']);
});
