import { expect, it } from 'vitest';
import { countWords } from '#screens/home/count-words.ts';

it('says that there may be more where counting stopped', () => {
  expect(countWords(12, false)).toBe('12');
  expect(countWords(10_000, true)).toBe('10,000+');
});
