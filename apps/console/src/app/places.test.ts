import { describe, expect, it } from 'vitest';
import { placeOf, placeOfId } from '#app/places.ts';

describe('where a thing is shown', () => {
  it('follows from the prefix of its id', () => {
    expect(placeOfId('ord_01h')).toBe('/orders/ord_01h');
    expect(placeOfId('exc_01h')).toBe('/reconciliation?exception=exc_01h');
  });

  it('is nowhere for text that only looks like an id', () => {
    expect(placeOfId('javascript:alert(1)')).toBeUndefined();
    expect(placeOfId('ord_01h/../x')).toBeUndefined();
    expect(placeOfId('mil_01h')).toBeUndefined();
  });

  it('escapes an id that is not one of ours', () => {
    expect(placeOf('LedgerEntry', 'a/b?c')).toBe('/ledger/entries/a%2Fb%3Fc');
  });
});
