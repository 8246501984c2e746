//! Plans follow from the seed, in the shares of the table.
import { expect, it } from 'vitest';
import { expandShares, orderBody, planLives } from './plan.ts';
import { SHARES } from './scripts.ts';

const marketplaces = [{ id: 'mkt_1', key: 'k', userIds: ['usr_1', 'usr_2', 'usr_3'] }];
const plansOf = (seed: number) => planLives(SHARES, 300, seed, marketplaces);
const bodies = (seed: number) => plansOf(seed).map((plan) => orderBody(plan, seed));

it('assigns scripts by their shares, one to each order', () => {
  expect(Object.values(SHARES).reduce((sum, share) => sum + share, 0)).toBe(100);
  const times = (names: string[], name: string) => names.filter((each) => each === name).length;
  const thousand = expandShares(SHARES, 1000);
  expect([thousand.length, times(thousand, 'happy'), times(thousand, 'race')]).toEqual([
    1000, 550, 100,
  ]);
  for (const count of [0, 1, 7, 40, 99]) expect(expandShares(SHARES, count)).toHaveLength(count);
});

it('plans the same orders for the same seed, and others for another', () => {
  expect(bodies(5)).toEqual(bodies(5));
  expect(bodies(5)).not.toEqual(bodies(6));
});

it('plans different buyers and sellers, and milestones that sum to the amount', () => {
  for (const { buyerId, sellerId, amount, milestones } of plansOf(9)) {
    expect(buyerId).not.toBe(sellerId);
    expect(milestones.every((part) => part >= 100n)).toBe(true);
    if (milestones.length > 0)
      expect(milestones.reduce((sum, part) => sum + part, 0n)).toBe(amount);
  }
});
