import { expect, it } from 'vitest';
import { secondsOf } from '#screens/lab/advance.ts';

it('counts in seconds', () => {
  expect(secondsOf(14, 'days')).toBe(1_209_600);
  expect(secondsOf(365, 'days')).toBe(31_536_000);
});

it('refuses what the lab would refuse', () => {
  for (const count of ['', 0, -1, 1.5, 366]) expect(secondsOf(count, 'days')).toBeUndefined();
  expect(secondsOf(1, 'moons')).toBeUndefined();
});
