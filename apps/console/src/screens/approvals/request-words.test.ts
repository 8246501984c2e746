import { rolesOf } from '@holdfast/contract/roles';
import { surfaceA } from '@holdfast/contract/surface-a';
import { describe, expect, it } from 'vitest';
import {
  APPROVABLE_ACTIONS,
  choicesIn,
  textFieldsIn,
  titleOf,
} from '#screens/approvals/request-words.ts';

const requestWith = (body: unknown) => ({
  request: { body },
  reason: 'x',
  currency: 'USD' as const,
});

describe('the words of a request', () => {
  it('are shown field by field, amounts with their currency', () => {
    const split = requestWith({ decision: 'SPLIT', releaseAmount: '1200.00', note: 'a scratch' });
    expect(choicesIn(split)).toEqual([
      ['Decision', 'Split'],
      ['Release amount', '1,200.00 USD'],
    ]);
    expect(textFieldsIn(split)).toEqual([['Note', 'a scratch']]);
  });

  it('are shown without brackets where they are lists', () => {
    const memberships = [
      { role: 'viewer', marketplaceId: 'mkt_1' },
      { role: 'admin', marketplaceId: 'mkt_2' },
    ];
    expect(choicesIn(requestWith({ memberships, scopes: ['read', 'orders:write'] }))).toEqual([
      ['Memberships', 'Role viewer, Marketplace ID mkt_1; Role admin, Marketplace ID mkt_2'],
      ['Scopes', 'read; orders:write'],
    ]);
  });

  it('say the reason once, and the currency with the amount', () => {
    const credit = requestWith({ amount: '1.00', currency: 'USD', description: 'x', reason: 'x' });
    expect(choicesIn(credit)).toEqual([['Amount', '1.00 USD']]);
    expect(textFieldsIn(credit)).toEqual([]);
  });

  it('are shown as far as they are known', () => {
    expect(choicesIn({ ...requestWith(undefined), request: {} })).toEqual([]);
    expect(titleOf('somethingNewer')).toBe('Something newer');
  });
});

it('knows everything that may need a second person, and who may agree', () => {
  const needing = Object.values(surfaceA).filter((one) => one.secondApprover !== undefined);
  expect(Object.keys(APPROVABLE_ACTIONS).toSorted()).toEqual(
    needing.map(({ id }) => id).toSorted(),
  );
  for (const endpoint of needing)
    expect(APPROVABLE_ACTIONS[endpoint.id]?.roles).toEqual(rolesOf(endpoint));
});
