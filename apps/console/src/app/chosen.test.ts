import { expect, it } from 'vitest';
import { chosen } from './chosen.ts';

it('takes a known word and nothing else', () => {
  expect(chosen('OPEN', ['OPEN', 'DONE'])).toBe('OPEN');
  expect(chosen('open', ['OPEN', 'DONE'])).toBeUndefined();
  expect(chosen(undefined, ['OPEN'])).toBeUndefined();
});
