import { describe, expect, it } from 'vitest';
import { describeRequest, titleOf } from '#screens/approvals/request-words.ts';

describe('what was asked for', () => {
  it('is told field by field', () => {
    const body = { decision: 'SPLIT', releaseAmount: '1.00', reason: 'x' };
    expect(describeRequest({ params: { id: 'dsp_1' }, body })).toEqual([
      ['Decision', 'SPLIT'],
      ['Release amount', '1.00'],
    ]);
  });

  it('is told as far as it is known', () => {
    expect(describeRequest({})).toEqual([]);
    expect(titleOf('somethingNewer')).toBe('somethingNewer');
  });
});
