import { expect, it } from 'vitest';
import { randomBytes, seededRandom } from '#random';

it('repeats itself from the same seed and differs from another', () => {
  const draw = (seed: number) => Buffer.from(randomBytes(32, seededRandom(seed))).toString('hex');
  expect(draw(7)).toBe(draw(7));
  expect(draw(7)).not.toBe(draw(8));
});

it('never repeats bytes, in small and in large draws', () => {
  const drawn = Array.from({ length: 2000 }, () => Buffer.from(randomBytes(8)).toString('hex'));
  expect(new Set(drawn).size).toBe(2000);
  const large = randomBytes(10_000);
  expect(large.some((byte) => byte !== 0)).toBe(true);
  expect(large.subarray(9_000).some((byte) => byte !== 0)).toBe(true);
});
