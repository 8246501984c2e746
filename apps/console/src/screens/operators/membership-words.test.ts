import type { Membership } from '@holdfast/sdk';
import { describe, expect, it } from 'vitest';
import { marketplaceNames, membershipWords, roleChanges } from './membership-words.ts';

const names = new Map([
  ['mkt_a', 'Garden'],
  ['mkt_b', 'Shop'],
]);

describe('what somebody has', () => {
  const member = (marketplaceName: string) =>
    ({ marketplaceId: 'mkt_a', marketplaceName, role: 'viewer' }) as unknown as Membership;

  it('names two, and counts the others', () => {
    expect(membershipWords([])).toBe('none');
    expect(membershipWords([member('A'), member('B')])).toBe('A: viewer, B: viewer');
    expect(membershipWords(['A', 'B', 'C', 'D'].map(member))).toBe(
      'A: viewer, B: viewer and 2 more',
    );
  });
});

describe('the name of a marketplace', () => {
  it('has the end of its id where another is called the same', () => {
    const named = marketplaceNames([
      { id: 'mkt_000000000001', name: 'Shop' },
      { id: 'mkt_000000000002', name: 'Shop' },
      { id: 'mkt_000000000003', name: 'Garden' },
    ]);
    expect([...named.values()]).toEqual(['Shop (…000001)', 'Shop (…000002)', 'Garden']);
  });
});

describe('a change of roles', () => {
  it('is told by what is given, taken and exchanged, and by nothing else', () => {
    const before = [{ marketplaceId: 'mkt_a', role: 'viewer' }] as const;
    expect(roleChanges(before, before, names)).toEqual([]);
    expect(roleChanges(before, [{ marketplaceId: 'mkt_a', role: 'admin' }], names)).toEqual([
      'Makes them admin instead of viewer in Garden.',
    ]);
    expect(roleChanges(before, [{ marketplaceId: 'mkt_b', role: 'support' }], names)).toEqual([
      'Takes the role viewer in Garden away.',
      'Gives the role support in Shop.',
    ]);
  });

  it('names a marketplace that is not known by its id', () => {
    expect(roleChanges([], [{ marketplaceId: 'mkt_c', role: 'viewer' }], names)).toEqual([
      'Gives the role viewer in mkt_c.',
    ]);
  });
});
