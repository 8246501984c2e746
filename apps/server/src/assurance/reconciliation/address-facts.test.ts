import { describe, expect, it } from 'vitest';
import { type AddressFacts, explain } from './address-facts.ts';

const CENT = 100_000n;

/** An address that holds what the books say. */
const right: AddressFacts = {
  userId: 'usr_1',
  address: 'GUSER',
  currency: 'USDC',
  booked: 100n * CENT,
  mirrored: 100n * CENT,
  dust: 0n,
  isMoving: false,
  uncredited: 0n,
  actual: 100n * CENT,
};

// biome-ignore format: a table.
const rows: readonly [name: string, facts: Partial<AddressFacts>, difference: bigint, inFlight: bigint, unexplained: bigint][] = [
  ['holds what the books say',                     {},                                                     0n,         0n,         0n],
  ['holds dust besides',                           { dust: 7n, mirrored: 100n * CENT + 7n, actual: 100n * CENT + 7n }, -7n, 0n,    0n],
  ['waits for what the books got',                 { booked: 115n * CENT },                                15n * CENT, 15n * CENT, 0n],
  ['still has what the books gave away',           { booked: 60n * CENT },                                 -40n * CENT, -40n * CENT, 0n],
  ['waits, with dust',                             { booked: 115n * CENT, dust: 7n, mirrored: 100n * CENT + 7n, actual: 100n * CENT + 7n }, 15n * CENT - 7n, 15n * CENT, 0n],
  ['holds what the books say; the mirror is late', { mirrored: 0n },                                       0n,         0n,         0n],
  ['has a deposit that is not credited yet',       { uncredited: 25n * CENT, actual: 125n * CENT },        -25n * CENT, -25n * CENT, 0n],
  ['has a deposit, and waits',                     { booked: 110n * CENT, uncredited: 25n * CENT, actual: 125n * CENT }, -15n * CENT, -15n * CENT, 0n],
  ['moves',                                        { isMoving: true, actual: 3n },                         100n * CENT - 3n, 100n * CENT - 3n, 0n],
  ['has a stroop too much',                        { actual: 100n * CENT + 1n },                           -1n,        0n,         1n],
  ['has a stroop too little',                      { actual: 100n * CENT - 1n },                           1n,         0n,         -1n],
  ['waits, and lacks more than that',              { booked: 115n * CENT, actual: 90n * CENT },            25n * CENT, 15n * CENT, -10n * CENT],
  ['has more than its deposit explains',           { uncredited: 25n * CENT, actual: 126n * CENT },        -26n * CENT, -25n * CENT, CENT],
];

describe('an address that', () => {
  it.each(rows)('%s', (_, changes, difference, inFlight, unexplained) => {
    const facts = { ...right, ...changes };
    expect(explain(facts)).toEqual({ difference, inFlight, unexplained });
    expect(difference).toBe(inFlight - facts.dust - unexplained);
  });
});
