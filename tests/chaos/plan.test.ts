//! Plans come from the seed, in the shares that the table says.
import { expect, it } from 'vitest';
import { dealOut, orderBody, planLives } from './plan.ts';
import { SHARES } from './scripts.ts';

const marketplaces = [{ id: 'mkt_1', key: 'k', userIds: ['usr_1', 'usr_2', 'usr_3'] }];
const plansOf = (seed: number) => planLives(SHARES, 300, seed, marketplaces);
const wishes = (seed: number) => plansOf(seed).map((plan) => orderBody(plan, seed));

it('lives are dealt out by their shares, and none is lost', () => {
  expect(Object.values(SHARES).reduce((sum, share) => sum + share, 0)).toBe(100);
  const times = (names: string[], name: string) => names.filter((each) => each === name).length;
  const thousand = dealOut(SHARES, 1000);
  expect([thousand.length, times(thousand, 'happy'), times(thousand, 'race')]).toEqual([
    1000, 550, 100,
  ]);
  for (const count of [0, 1, 7, 40, 99]) expect(dealOut(SHARES, count)).toHaveLength(count);
});

it('the same seed plans the same lives, another one others', () => {
  expect(wishes(5)).toEqual(wishes(5));
  expect(wishes(5)).not.toEqual(wishes(6));
});

it('buyer and seller differ, and milestones sum to the amount', () => {
  for (const { buyerId, sellerId, amount, milestones } of plansOf(9)) {
    expect(buyerId).not.toBe(sellerId);
    expect(milestones.every((part) => part >= 100n)).toBe(true);
    if (milestones.length > 0)
      expect(milestones.reduce((sum, part) => sum + part, 0n)).toBe(amount);
  }
});
