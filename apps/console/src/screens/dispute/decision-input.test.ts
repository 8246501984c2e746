import { describe, expect, it } from 'vitest';
import { splitAt } from '#parts/money/cents.ts';
import { decisionInput } from '#screens/dispute/decision-input.ts';

describe('a decision', () => {
  it('names both amounts of a split, which sum to the whole', () => {
    expect(decisionInput('SPLIT', splitAt(10_001n, 3_333n))).toEqual({
      decision: 'SPLIT',
      releaseAmount: '33.33',
      refundAmount: '66.68',
    });
  });

  it('is no split when one side gets nothing', () => {
    expect(decisionInput('SPLIT', splitAt(100n, 0n))).toBeUndefined();
    expect(decisionInput('SPLIT', splitAt(100n, 100n))).toBeUndefined();
  });

  it('names no amount when all of it goes one way', () => {
    expect(decisionInput('FULL_REFUND', splitAt(100n, 50n))).toEqual({ decision: 'FULL_REFUND' });
  });
});
