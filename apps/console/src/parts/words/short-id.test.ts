//! Checks that a shortened id keeps its start and end, and that short texts stay whole.
import { expect, it } from 'vitest';
import { shortId } from '#parts/words/short-id.ts';

it('keeps the prefix and the end of one of our ids', () => {
  const { head, middle, tail } = shortId('ord_1k0a7j813w0dmzhes01nh8edb3j');
  expect([head, tail]).toEqual(['ord_', 'nh8edb3j']);
  expect(head + middle + tail).toBe('ord_1k0a7j813w0dmzhes01nh8edb3j');
});

it('shortens a hash and an address alike', () => {
  expect(shortId('GC7E6VZHBEUZZTPIRUIHM2XLB3OM7ZTNEA4V3USP5VM5KNHMFSVGQWBC')).toMatchObject({
    head: 'GC7E',
    tail: 'FSVGQWBC',
  });
});

it('leaves an account’s name readable around the id in it', () => {
  expect(shortId('escrow.ord_1k0a7j813w0dmzhes01nh8edb3j.USD')).toMatchObject({
    head: 'escrow.ord_',
    tail: 'nh8edb3j.USD',
  });
});

it('leaves words and short references alone', () => {
  expect(shortId('demo-bike').middle).toBe('');
  expect(shortId('Released to the seller at last').middle).toBe('');
});
