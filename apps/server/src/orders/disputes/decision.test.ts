import { Money } from '@holdfast/kernel/money';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import type { Dispute } from '../model/dispute.ts';
import { checkResolve, type DecisionInput, readParts } from './decision.ts';

const order = { amount: Money.ofMinor(10_000n, 'USD'), currency: 'USD' } as const;

const parts = (input: DecisionInput) => {
  const { releaseAmount, refundAmount } = readParts(order, input);
  return [releaseAmount.text, refundAmount.text];
};

describe('reading the parts of a decision', () => {
  it('gives all to one side, or divides by a split', () => {
    expect(parts({ decision: 'FULL_RELEASE' })).toEqual(['100.00', '0.00']);
    expect(parts({ decision: 'FULL_REFUND' })).toEqual(['0.00', '100.00']);
    const split = { decision: 'SPLIT', releaseAmount: '99.99', refundAmount: '0.01' } as const;
    expect(parts(split)).toEqual(['99.99', '0.01']);
  });

  it('accepts amounts for a full decision that agree with it', () => {
    const given = { releaseAmount: '100.00', refundAmount: '0' };
    expect(parts({ decision: 'FULL_RELEASE', ...given })).toEqual(['100.00', '0.00']);
    expect(() => parts({ decision: 'FULL_REFUND', ...given })).toThrow(
      expect.toSatisfy(isRefusal('INVALID_AMOUNT')),
    );
    expect(() => parts({ decision: 'FULL_RELEASE', refundAmount: '0.01' })).toThrow(
      expect.toSatisfy(isRefusal('INVALID_AMOUNT')),
    );
  });

  it.each([
    ['60.00', '40.01'],
    ['60.00', '39.99'],
    ['0.00', '100.00'],
    ['100.00', '0.00'],
  ])('refuses a split into %s and %s', (releaseAmount, refundAmount) => {
    expect(() => parts({ decision: 'SPLIT', releaseAmount, refundAmount })).toThrow(
      expect.toSatisfy(isRefusal('INVALID_AMOUNT')),
    );
  });

  it.each([
    [{}],
    [{ releaseAmount: '60.00' }],
    [{ refundAmount: '60.00' }],
    [{ releaseAmount: 'abc', refundAmount: '40.00' }],
    [{ releaseAmount: '-1.00', refundAmount: '101.00' }],
    [{ releaseAmount: '60.001', refundAmount: '39.999' }],
  ])('refuses malformed amounts in %o', (given) => {
    expect(() => parts({ decision: 'SPLIT', ...given })).toThrow(
      expect.toSatisfy(isRefusal('VALIDATION_ERROR')),
    );
  });
});

it('allows a decision under review, by one resolver at a time', () => {
  const dispute = { id: 'dsp_1', status: 'UNDER_REVIEW', claim: null } as unknown as Dispute;
  expect(() => checkResolve(dispute)).not.toThrow();
  const wrong = [
    { ...dispute, status: 'OPEN' },
    { ...dispute, status: 'RESOLVED' },
    { ...dispute, claim: { decision: 'SPLIT' } },
  ] as unknown as Dispute[];
  for (const each of wrong)
    expect(() => checkResolve(each)).toThrow(expect.toSatisfy(isRefusal('INVALID_STATE')));
});
