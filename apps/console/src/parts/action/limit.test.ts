import { expect, it } from 'vitest';
import { needsSecond } from '#parts/action/limit.ts';

it('requires a second approver above the limit, and not at it', () => {
  expect(needsSecond('500.01', '500.00')).toBe(true);
  expect(needsSecond('500.00', '500.00')).toBe(false);
  expect(needsSecond('499.99', '500.00')).toBe(false);
});

it('compares amounts and not their texts', () => {
  expect(needsSecond('1000.00', '500.00')).toBe(true);
  expect(needsSecond('60.00', '500.00')).toBe(false);
});

it('requires none without a limit, and one for every amount when the limit is zero', () => {
  expect(needsSecond('1000000.00', null)).toBe(false);
  expect(needsSecond('0.01', '0.00')).toBe(true);
});
