import { expect, it } from 'vitest';
import { instantText, manualClock, microsText, readInstant } from '#clock';

it('keeps a manual clock still until it is advanced', () => {
  const clock = manualClock(1_000);
  expect(clock.now()).toBe(1_000);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
});

it('reads what it writes', () => {
  expect(readInstant(instantText(1_763_000_000_123))).toBe(1_763_000_000_123);
});

it('writes no time for null', () => {
  expect(instantText(null)).toBeNull();
});

it.each([
  '',
  'now',
  '2026',
  '2026-13-01',
  '2026-02-30',
  '2026-04-31T10:00:00Z',
  '2026-01-01T10:00',
  '1763000000',
])('refuses %j as an instant', (text) => expect(readInstant(text)).toBeUndefined());

it.each([
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  '2026-01-31T10:00:00.123456Z',
  '2026-01-31T10:00:00+02:00',
])('takes %s', (text) => expect(readInstant(text)).toBeTypeOf('number'));

it.each([
  [0, '1970-01-01T00:00:00.000000Z'],
  [1, '1970-01-01T00:00:00.000001Z'],
  [999_999, '1970-01-01T00:00:00.999999Z'],
  [1_763_000_000_123_000, '2025-11-13T02:13:20.123000Z'],
  [1_763_000_000_123_045, '2025-11-13T02:13:20.123045Z'],
  [253_402_300_799_999_000, '9999-12-31T23:59:59.999000Z'],
])('writes %i microseconds as %s', (micros, text) => expect(microsText(micros)).toBe(text));

it('writes microseconds so that texts sort like times', () => {
  const start = 1_763_000_000_998_500;
  const texts = Array.from({ length: 3000 }, (_, after) => microsText(start + after));
  expect([...new Set(texts)].sort()).toEqual(texts);
});
