import { expect, test } from 'vitest';
import { PLAIN, styleFor, widthOf } from './style.ts';

test('colours are used on a terminal, unless the environment turns them off', () => {
  expect(styleFor(false, {})).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '1' })).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(PLAIN);
  expect(styleFor(true, { TERM: 'dumb' })).toBe(PLAIN);
  expect(styleFor(true, { NO_COLOR: '' })).not.toBe(PLAIN);
  expect(styleFor(false, { FORCE_COLOR: '1' })).not.toBe(PLAIN);
});

test('colours do not count in the width of a text', () => {
  expect(widthOf(styleFor(true, {}).red('five5'))).toBe(5);
});
