import { expect, it } from 'vitest';
import { OutboxAge } from './outbox-age.ts';

it('counts from the first reading that could see the row', () => {
  const age = new OutboxAge();
  expect(age.seconds({ first: 5n, last: 9n }, 0)).toBe(0);
  expect(age.seconds({ first: 5n, last: 20n }, 10_000)).toBe(10);
  // The oldest one is new since the second reading, at most.
  expect(age.seconds({ first: 15n, last: 30n }, 20_000)).toBe(10);
  expect(age.seconds({ first: 31n, last: 40n }, 30_000)).toBe(0);
  expect(age.seconds(undefined, 40_000)).toBe(0);
  expect(age.seconds({ first: 40n, last: 41n }, 50_000)).toBe(0);
});
