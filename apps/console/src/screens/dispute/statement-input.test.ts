import { expect, it } from 'vitest';
import { readStatementInput } from '#screens/dispute/statement-input.ts';

it('takes a statement, evidence by the line, or both', () => {
  expect(readStatementInput(' It was whole. ', '')).toEqual({ statement: 'It was whole.' });
  expect(readStatementInput('', 'https://a.example/1\n\n  a photo  \n')).toEqual({
    evidence: ['https://a.example/1', 'a photo'],
  });
  expect(readStatementInput('Both.', 'one')).toEqual({ statement: 'Both.', evidence: ['one'] });
});

it('says what is missing or too much', () => {
  expect(readStatementInput(' ', '\n')).toBe('Enter a statement or evidence.');
  expect(readStatementInput('', 'line\n'.repeat(21))).toMatch(/At most 20/);
  expect(readStatementInput('', 'x'.repeat(5_000))).toMatch(/characters/);
});
