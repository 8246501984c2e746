import { rolesOf } from '@holdfast/contract/roles';
import { surfaceA } from '@holdfast/contract/surface-a';
import { describe, expect, it } from 'vitest';
import { ASKED, choicesIn, saidIn, titleOf } from '#screens/approvals/request-words.ts';

const asked = (body: unknown) => ({ request: { body }, reason: 'x', currency: 'USD' as const });

describe('what was asked for', () => {
  it('is told field by field, amounts with their currency', () => {
    const split = asked({ decision: 'SPLIT', releaseAmount: '1200.00', note: 'a scratch' });
    expect(choicesIn(split)).toEqual([
      ['Decision', 'Split'],
      ['Release amount', '1,200.00 USD'],
    ]);
    expect(saidIn(split)).toEqual([['Note', 'a scratch']]);
  });

  it('says the reason once, and the currency with the amount', () => {
    const credit = asked({ amount: '1.00', currency: 'USD', description: 'x', reason: 'x' });
    expect(choicesIn(credit)).toEqual([['Amount', '1.00 USD']]);
    expect(saidIn(credit)).toEqual([]);
  });

  it('is told as far as it is known', () => {
    expect(choicesIn({ ...asked(undefined), request: {} })).toEqual([]);
    expect(titleOf('somethingNewer')).toBe('Something newer');
  });
});

it('knows everything that may need a second person, and who may agree', () => {
  const needing = Object.values(surfaceA).filter((one) => one.secondPerson !== undefined);
  expect(Object.keys(ASKED).toSorted()).toEqual(needing.map(({ id }) => id).toSorted());
  for (const endpoint of needing) expect(ASKED[endpoint.id]?.roles).toEqual(rolesOf(endpoint));
});
