//! Code words become words; amounts, currencies and names of events stay.
import { expect, it } from 'vitest';
import { plainWords } from '#parts/words/plain-words.ts';

it.each([
  ['order from ORDER_CREATED to FUNDS_RESERVED', 'Order from created to funds reserved'],
  ['create-escrow: deploy is FAILED', 'Create escrow: deploy is failed'],
  ['escrow.created: SUPERSEDED', 'escrow.created: no change'],
  ['Unexpected response (HTTP 502).', 'Unexpected response (HTTP 502).'],
  ['640.00 USD: order hold', '640.00 USD: order hold'],
  ['The order has no milestones.', 'The order has no milestones.'],
])('%s', (sentence, plain) => {
  expect(plainWords(sentence)).toBe(plain);
});
