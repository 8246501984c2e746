import { expect, test } from 'vitest';
import {
  clockText,
  moneyText,
  readSpan,
  shortText,
  similarTo,
  spanText,
  timeText,
} from './words.ts';

test.each([
  ['1234567.89', '1,234,567.89 USD'],
  ['100.00', '100.00 USD'],
  ['1000', '1,000 USD'],
])('%s is written as %s', (amount, text) => expect(moneyText(amount, 'USD')).toBe(text));

test.each([
  ['90', 90],
  ['90s', 90],
  ['15m', 900],
  ['36h', 129_600],
  ['14d', 1_209_600],
  ['2w', 1_209_600],
  ['soon', undefined],
  ['-1d', undefined],
  ['1.5h', undefined],
])('%s is %s seconds', (text, seconds) => expect(readSpan(text)).toBe(seconds));

test.each([
  [12.4, '12 ms'],
  [4200, '4.2 s'],
  [180_000, '3 min'],
  [7_200_000, '2 h'],
  [432_000_000, '5 d'],
])('%s ms is written as %s', (ms, text) => expect(spanText(ms)).toBe(text));

test('times are written to the second, or to the millisecond within a day', () => {
  expect(timeText('2026-11-15T12:03:49.222000Z')).toBe('2026-11-15 12:03:49Z');
  expect(timeText(null)).toBeNull();
  expect(clockText('2026-11-15T12:03:49.222000Z')).toBe('12:03:49.222');
});

test('a typo is recognised, another word is not', () => {
  const names = ['order.released', 'order.refunded', 'dispute.release'];
  expect(similarTo('order.relased', names)).toBe('order.released');
  expect(similarTo('order.refund', names)).toBe('order.refunded');
  expect(similarTo('order.eaten', names)).toBeUndefined();
});

test('a long name keeps both its ends', () => {
  expect(shortText('GBRFE5JEBHH4N7VYHRTOOE6C', 12)).toBe('GBRFE5…OOE6C');
  expect(shortText('short', 12)).toBe('short');
});
