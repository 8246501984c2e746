//! Every action has words of its own.
import { AUDIT_ACTIONS } from '@holdfast/contract/audit-actions';
import { expect, it } from 'vitest';
import { auditWords } from '#parts/words/audit-words.ts';

it.each([
  ['ORDER_CREATED', 'Order created'],
  ['TOPUP_CREATED', 'Top-up created'],
  ['API_KEY_ROTATED', 'API key rotated'],
  ['WEBHOOK_PARKED', 'Provider notification needs review'],
])('%s', (action, words) => {
  expect(auditWords(action)).toBe(words);
});

it('has no words twice', () => {
  const words = AUDIT_ACTIONS.map(auditWords);
  expect(new Set(words).size).toBe(words.length);
});
