import { describe, expect, it } from 'vitest';
import { isEnrollment, routeOf, routeOfId } from '#app/routes.ts';

describe('where a thing is shown', () => {
  it('follows from the prefix of its id', () => {
    expect(routeOfId('ord_01h')).toBe('/orders/ord_01h');
    expect(routeOfId('exc_01h')).toBe('/reconciliation?exception=exc_01h');
  });

  it('is nowhere for text that only looks like an id', () => {
    expect(routeOfId('javascript:alert(1)')).toBeUndefined();
    expect(routeOfId('ord_01h/../x')).toBeUndefined();
    expect(routeOfId('mil_01h')).toBeUndefined();
  });

  it('escapes an id that is not one of ours', () => {
    expect(routeOf('LedgerEntry', 'a/b?c')).toBe('/ledger/entries/a%2Fb%3Fc');
  });
});

it('is the page for a new account behind the link of an invitation, and nowhere else', () => {
  expect(['/console/enroll', '/console/enroll/'].every(isEnrollment)).toBe(true);
  expect(['/console/', '/console/enroll/x', '/enroll'].some(isEnrollment)).toBe(false);
});
