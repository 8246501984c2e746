import { expect, it } from 'vitest';
import { saidInput } from '#screens/dispute/said-input.ts';

it('takes a statement, evidence by the line, or both', () => {
  expect(saidInput(' It was whole. ', '')).toEqual({ statement: 'It was whole.' });
  expect(saidInput('', 'https://a.example/1\n\n  a photo  \n')).toEqual({
    evidence: ['https://a.example/1', 'a photo'],
  });
  expect(saidInput('Both.', 'one')).toEqual({ statement: 'Both.', evidence: ['one'] });
});

it('says what is missing or too much', () => {
  expect(saidInput(' ', '\n')).toMatch(/missing/);
  expect(saidInput('', 'line\n'.repeat(21))).toMatch(/At most 20/);
  expect(saidInput('', 'x'.repeat(5_000))).toMatch(/characters/);
});
