//! Code words become words; names stay as people chose them.
import { expect, it } from 'vitest';
import { recordTitle } from '#parts/words/record-title.ts';

it.each([
  ['Dispute', 'NOT_DELIVERED', 'Not delivered'],
  ['Approval', 'releaseOrder', 'Release to seller'],
  ['Operation', 'fund-escrow', 'Fund escrow'],
  ['Operation', 'create-topup', 'Create top-up'],
  ['AuditEntry', 'ORDER_CREATED', 'Order created'],
  ['ReconciliationException', 'PAYOUT_DOUBLED', 'Duplicate payout'],
  ['LedgerEntry', 'order_hold', 'Funds reserved for order'],
  ['Order', 'LAMP', 'LAMP'],
  ['WebhookEndpoint', 'https://shop.example/hook', 'https://shop.example/hook'],
])('%s %s', (type, title, words) => {
  expect(recordTitle(type, title)).toBe(words);
});
