import type { Marketplace, Operator } from '@holdfast/sdk';
import { expect, test } from 'vitest';
import { capitalWords, enableWords, limitWords, rolesWords, shareWords } from './platform-words.ts';

const OPERATOR = {
  name: 'Paul Platform',
  email: 'paul@example.test',
  memberships: [{ marketplaceId: 'mkt_1', marketplaceName: 'Garden', role: 'viewer' }],
} as unknown as Operator;
const NAMES = new Map([
  ['mkt_1', 'Garden'],
  ['mkt_2', 'Shop'],
]);
const MARKETPLACE = { name: 'Garden', adjustmentLimit: { USD: '1000.00' } } as Marketplace;

test('roles: the changes to them, with the names of the marketplaces', () => {
  const memberships = [
    { marketplaceId: 'mkt_1', role: 'admin' },
    { marketplaceId: 'mkt_2', role: 'support' },
  ];
  expect(rolesWords(OPERATOR, { memberships }, NAMES)).toEqual([
    'Operator: Paul Platform (paul@example.test).',
    'Changes the role in Garden from viewer to admin.',
    'Assigns the support role in Shop.',
  ]);
});

test('roles that were given meanwhile: nothing would change', () => {
  const { memberships } = OPERATOR;
  expect(rolesWords(OPERATOR, { memberships }, NAMES)).toEqual([
    'Operator: Paul Platform (paul@example.test).',
    'The operator has these roles already.',
  ]);
});

test('an operator who is enabled: how they sign in, and the roles they have again', () => {
  expect(enableWords(OPERATOR)).toEqual([
    'Paul Platform can sign in again with the existing password and two-factor secret.',
    'Roles: viewer in Garden.',
  ]);
});

test('a limit: the new one, and the one that applies now', () => {
  expect(limitWords(MARKETPLACE, { currency: 'USD', limit: '25000.00' })).toEqual([
    'Increases the limit on manual credits and debits of Garden to 25,000.00 USD.',
    'Now: 1,000.00 USD.',
  ]);
  expect(limitWords(MARKETPLACE, { currency: 'XLM', limit: null })).toEqual([
    'Increases the limit on manual credits and debits of Garden to no limit.',
    'The default limit of the deployment applies now.',
  ]);
});

test('a share of the treasury', () => {
  expect(shareWords(MARKETPLACE, { asset: 'XLM', funded: '5000.0000000' })).toEqual([
    'The addresses of Garden may hold up to 5,000.0000000 XLM of the treasury.',
  ]);
});

test('capital: paid in, or withdrawn', () => {
  const paid = { asset: 'USDC', amount: '1000.0000000', location: 'ledger_network' };
  expect(capitalWords(paid)[0]).toBe(
    'Records that the owner paid in 1,000.0000000 USDC on the network.',
  );
  const withdrawn = { ...paid, amount: '-1000.0000000', location: 'payment_provider' };
  expect(capitalWords(withdrawn)[0]).toBe(
    'Records that the owner withdrew 1,000.0000000 USDC at the payment provider.',
  );
});
