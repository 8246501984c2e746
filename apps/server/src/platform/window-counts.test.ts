import { manualClock } from '@holdfast/kernel/clock';
import { expect, it } from 'vitest';
import { WindowCounts } from './window-counts.ts';

const WINDOW_MS = 60_000;

function openCounts(namesMax: number) {
  const clock = manualClock(0);
  const counts = new WindowCounts(clock, WINDOW_MS, namesMax);
  const add = (name: string) => {
    const counted = counts.of(name);
    counted.count += 1;
    return `${counted.count} until ${counted.resetAt}`;
  };
  return { clock, add };
}

it('counts a whole window from the first call, across a change of generations', () => {
  const { clock, add } = openCounts(10);
  clock.advance(50_000);
  expect(add('a')).toBe('1 until 110000');
  clock.advance(20_000);
  expect(add('a')).toBe('2 until 110000');
  clock.advance(39_999);
  expect(add('a')).toBe('3 until 110000');
  clock.advance(1);
  expect(add('a')).toBe('1 until 170000');
  clock.advance(3_600_000);
  expect(add('a')).toBe('1 until 3770000');
});

it('has room for so many names in a generation, and one count for all others', () => {
  const { clock, add } = openCounts(2);
  expect(['a', 'b', 'c', 'd', 'a'].map(add)).toEqual([
    '1 until 60000',
    '1 until 60000',
    '1 until 60000',
    '2 until 60000',
    '2 until 60000',
  ]);
  clock.advance(WINDOW_MS);
  expect(['c', 'd', 'e', 'a'].map(add)).toEqual([
    '1 until 120000',
    '1 until 120000',
    '1 until 120000',
    '2 until 120000',
  ]);
});
