import { describe, expect, it } from 'vitest';
import { changed, parseSearch, stringifySearch } from '#app/url-state.ts';

describe('the address of a screen', () => {
  it('is parsed back to the same filters', () => {
    const state = { q: 'a b&c=d', status: 'OPEN', ref: '0012' };
    expect(parseSearch(stringifySearch(state))).toEqual(state);
  });

  it('is the same for the same filters, in any order', () => {
    expect(stringifySearch({ b: '2', a: '1' })).toBe(stringifySearch({ a: '1', b: '2' }));
  });

  it('holds nothing that is empty', () => {
    expect(stringifySearch({ status: '', q: undefined })).toBe('');
    expect(changed({ status: 'OPEN', q: 'x' }, { status: undefined, q: '' })).toEqual({});
  });

  it('changes only the given words', () => {
    expect(changed({ status: 'OPEN' }, { q: 'x' })).toEqual({ status: 'OPEN', q: 'x' });
  });
});
