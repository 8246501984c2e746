//! Checks that the published limits are amounts, and those of the specification.
import { Money } from '@holdfast/kernel/money';
import { expect, it } from 'vitest';
import {
  AMOUNT_LIMITS,
  BASE_CURRENCY,
  DEFAULT_FEE_RATE,
  isAboveLimit,
  PAGE_SIZE,
  RATE_LIMITS,
} from '#limits';

it.each(Object.entries(AMOUNT_LIMITS))('the limits of a %s are amounts, in order', (_, limits) => {
  const minimum = Money.read(limits.minimum, BASE_CURRENCY);
  const maximum = Money.read(limits.maximum, BASE_CURRENCY);
  expect(minimum && maximum && minimum.isLessThan(maximum)).toBe(true);
  expect([minimum?.text, maximum?.text]).toEqual([limits.minimum, limits.maximum]);
});

it('are those that the specification publishes', () => {
  expect(PAGE_SIZE).toEqual({ default: 20, maximum: 100 });
  expect(RATE_LIMITS.requests).toEqual({ limit: 100, windowSeconds: 60 });
  expect(RATE_LIMITS.masterKey).toEqual({ limit: 1000, windowSeconds: 60 });
  expect(DEFAULT_FEE_RATE).toBe('5.00');
});

it('require a second operator above the approval limit, and not at it', () => {
  expect([49_999n, 50_000n, 50_001n].map((minor) => isAboveLimit(minor, 50_000n))).toEqual([
    false,
    false,
    true,
  ]);
  expect(isAboveLimit(50_001n, null)).toBe(false);
});
