import type { Membership } from '@holdfast/sdk';
import { describe, expect, it } from 'vitest';
import { marketplaceNames, membershipWords, roleChanges } from './membership-words.ts';

const names = new Map([
  ['mkt_a', 'Garden'],
  ['mkt_b', 'Shop'],
]);

describe('the memberships of an operator', () => {
  const member = (marketplaceName: string) =>
    ({ marketplaceId: 'mkt_a', marketplaceName, role: 'viewer' }) as unknown as Membership;

  it('name two, and count the others', () => {
    expect(membershipWords([])).toBe('None');
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
  it('lists the roles that are given, taken and exchanged, and nothing else', () => {
    const before = [{ marketplaceId: 'mkt_a', role: 'viewer' }] as const;
    expect(roleChanges(before, before, names)).toEqual([]);
    expect(roleChanges(before, [{ marketplaceId: 'mkt_a', role: 'admin' }], names)).toEqual([
      'Changes the role in Garden from viewer to admin.',
    ]);
    expect(roleChanges(before, [{ marketplaceId: 'mkt_b', role: 'support' }], names)).toEqual([
      'Removes the viewer role in Garden.',
      'Assigns the support role in Shop.',
    ]);
  });

  it('names a marketplace that is not known by its id', () => {
    expect(roleChanges([], [{ marketplaceId: 'mkt_c', role: 'viewer' }], names)).toEqual([
      'Assigns the viewer role in mkt_c.',
    ]);
  });
});
