import { expect, it } from 'vitest';
import { accountWords } from '#screens/ledger/account-words.ts';

it('names the kind, and the owner where there are many', () => {
  expect(accountWords('user.usr_1k0a7j0w3r0m4hmsdchgbzh9sg7.USD')).toBe('User …9sg7');
  expect(accountWords('fee_income.USD')).toBe('Fee income');
});
