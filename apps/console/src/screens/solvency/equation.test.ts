import type { SolvencyPart } from '@holdfast/sdk';
import { expect, it } from 'vitest';
import { isNothing, owedBy, sourcesOf } from '#screens/solvency/equation.ts';

const part: SolvencyPart = {
  asset: 'USDC',
  backs: ['USD', 'USDC'],
  users: '70.0000000',
  escrow: '30.0000000',
  fees: '5.0000000',
  suspense: '0.0000000',
  writtenOff: '1.0000000',
  paymentFees: '0.7000000',
  debtsOwed: '2.3000000',
  owed: '101.0000000',
  paidIn: '97.0000000',
  deposited: '0.0000000',
  adjustmentsOwed: '4.0000000',
  atAddresses: '70.0000000',
};

it('adds the terms up, and takes off write-offs, fees and debts', () => {
  expect(owedBy(part).addsUp).toBe(true);
  expect(sourcesOf(part).addsUp).toBe(true);
});

it('says so when they do not add up', () => {
  expect(owedBy({ ...part, fees: '5.0000001' }).addsUp).toBe(false);
  expect(sourcesOf({ ...part, paidIn: '99.99' }).addsUp).toBe(false);
});

it('knows a side without anything in it', () => {
  const zero = '0.0000000';
  const none = { ...part, owed: zero, paidIn: zero, deposited: zero, adjustmentsOwed: zero };
  expect(isNothing(sourcesOf(none))).toBe(true);
  expect(isNothing(sourcesOf(part))).toBe(false);
  expect(isNothing(sourcesOf({ ...none, paidIn: '1.00', adjustmentsOwed: '-1.00' }))).toBe(false);
});
