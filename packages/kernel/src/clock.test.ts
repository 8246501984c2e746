import { expect, it } from 'vitest';
import { instantText, manualClock, readInstant } from '#clock';

it('stands still until it is moved', () => {
  const clock = manualClock(1_000);
  expect(clock.now()).toBe(1_000);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
});

it('reads what it writes', () => {
  expect(readInstant(instantText(1_763_000_000_123))).toBe(1_763_000_000_123);
});

it.each(['', 'now', '2026', '2026-13-01', '2026-01-01T10:00', '1763000000'])(
  'refuses %j as an instant',
  (text) => expect(readInstant(text)).toBeUndefined(),
);

it.each([
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  '2026-01-31T10:00:00.123456Z',
  '2026-01-31T10:00:00+02:00',
])('takes %s', (text) => expect(readInstant(text)).toBeTypeOf('number'));
