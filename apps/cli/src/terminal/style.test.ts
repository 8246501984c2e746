import { expect, test } from 'vitest';
import { PLAIN, styleFor, widthOf } from './style.ts';

test('colours are for a terminal that has not said no', () => {
  expect(styleFor(false, {})).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '1' })).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(PLAIN);
  expect(styleFor(true, { TERM: 'dumb' })).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '' })).not.toBe(PLAIN);
  expect(styleFor(false, { FORCE_COLOR: '1' })).not.toBe(PLAIN);
});

test('colours take no columns', () => {
  expect(widthOf(styleFor(true, {}).red('five5'))).toBe(5);
});
