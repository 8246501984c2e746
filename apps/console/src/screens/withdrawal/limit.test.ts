import { expect, it } from 'vitest';
import { isAtLeast } from '#screens/withdrawal/limit.ts';

it('compares amounts and not their texts', () => {
  expect(isAtLeast('1000.00', '500.00')).toBe(true);
  expect(isAtLeast('500.00', '500.00')).toBe(true);
  expect(isAtLeast('499.99', '500.00')).toBe(false);
});
