import { describe, expect, it } from 'vitest';
import { filterQuery } from '#parts/table/filter-query.ts';

const FILTERS = [
  { name: 'status', label: 'State', choices: ['OPEN', 'DONE'] },
  { name: 'userId', label: 'User', accepts: /^usr_\d{3}$/ },
  { name: 'reference', label: 'Reference' },
  { name: 'createdAfter', label: 'From', type: 'date' },
  { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
] as const;

describe('the query of filters', () => {
  it('has the same filters as the address', () => {
    const state = {
      status: 'OPEN',
      userId: 'usr_123',
      reference: 'A 1',
      createdAfter: '2026-11-01',
    };
    expect(filterQuery(FILTERS, state)).toEqual(state);
  });

  it('leaves out incomplete texts and unknown choices', () => {
    const state = { status: 'LOST', userId: 'usr_1', createdAfter: '2026', tab: 'log' };
    expect(filterQuery(FILTERS, state)).toEqual({});
  });

  it('has the last day in it', () => {
    const until = (createdBefore: string) => filterQuery(FILTERS, { createdBefore });
    expect(until('2026-11-30')).toEqual({ createdBefore: '2026-12-01' });
    expect(until('2028-02-28')).toEqual({ createdBefore: '2028-02-29' });
    expect(until('2026-11')).toEqual({});
    expect(until('2026-13-01')).toEqual({});
  });
});
