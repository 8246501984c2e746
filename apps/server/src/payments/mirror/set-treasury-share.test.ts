import type { UserId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { debitBalance } from '../../accounts/books/debit-balance.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import {
  balanceOf,
  escrowOrderIn,
  refusalOf,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { auditsOf, usersWith } from '../../testing/mirrored.ts';
import { useOpenedEach } from '../../testing/use-world.ts';

const { world } = useEscrowWorld({ HOLDFAST_TREASURY_SHARE: '0' });
const market = useOpenedEach(() => world.market());

const setShare = (funded: string | null, asset = 'USDC') =>
  world.send('PUT', `/marketplaces/${market.id}/treasury-share`, {
    key: world.masterKey,
    body: { asset, funded },
  });
const held = (users: readonly UserId[]) =>
  Promise.all(users.map((userId) => stroopsAt(world, userId)));
const drawn = async () => {
  const [row] = await world.rows<{ drawn: string }>(
    `select s.drawn_stroops as drawn from treasury_share s join marketplace m
       on m.id = s.marketplace_id where m.public_id = $1 and s.asset = 'USDC'`,
    [market.id],
  );
  return row?.drawn;
};

describe('the share of the treasury', () => {
  it('lets nothing out until it is set, escalates that once, then continues', async () => {
    const users = await usersWith(world, market, 3);
    expect(await world.mirror(market)).toBe(3);
    expect(await held(users)).toEqual([0n, 0n, 0n]);
    await world.mirror(market);
    const escalated = await auditsOf(world, market.id, 'TREASURY_SHARE_USED_UP');
    expect(escalated).toMatchObject([{ after: { asset: 'USDC', amount: '30.0000000' } }]);
    const response = await setShare('25.00');
    expect(response.json.data.data).toEqual({
      ...{ marketplaceId: market.id, asset: 'USDC' },
      ...{ funded: '25.0000000', drawn: '0.0000000' },
    });
    expect(await world.mirror(market)).toBe(1);
    expect((await held(users)).toSorted((one, two) => Number(one - two))).toEqual([
      0n,
      100_000_000n,
      100_000_000n,
    ]);
    expect(await drawn()).toBe('200000000');
    expect((await setShare(null)).json.data.data.drawn).toBe('20.0000000');
    expect(await world.mirror(market)).toBe(0);
    expect(await held(users)).toEqual([100_000_000n, 100_000_000n, 100_000_000n]);
    expect(await auditsOf(world, market.id, 'TREASURY_SHARE_SET')).toHaveLength(2);
  });

  it('is freed by amounts that come back', async () => {
    await setShare('10.00');
    const [first, second] = (await usersWith(world, market, 2, '6.00')) as [UserId, UserId];
    expect(await world.mirror(market)).toBe(1);
    expect(await drawn()).toBe('60000000');
    const lucky = (await stroopsAt(world, first)) > 0n ? first : second;
    await debitBalance(world.app, market.call, lucky, { amount: '6.00' });
    expect(await world.mirror(market)).toBe(0);
    expect(await drawn()).toBe('60000000');
    expect(await stroopsAt(world, lucky === first ? second : first)).toBe(60_000_000n);
  });

  it('is given back when a transfer fails', async () => {
    await setShare('10.00');
    const [userId] = (await usersWith(world, market, 1)) as [UserId];
    await world.sandbox.arm('ledger', 'submit', 'reject', 1);
    expect(await world.mirror(market)).toBe(0);
    expect(await stroopsAt(world, userId)).toBe(100_000_000n);
    expect(await drawn()).toBe('100000000');
  });

  it('bounds what covers an escrow: the funding is refused and the order goes back', async () => {
    await setShare('60.00');
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    expect(await refusalOf(fundEscrow(world.app, market.call, order.id))).toMatchObject({
      code: 'ESCROW_FUNDING_FAILED',
    });
    expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 100.00');
    expect(await drawn()).toBe('0');
    await setShare('100.00');
    const next = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '40.00' });
    expect(await drawn()).toBe('400000000');
    expect(await stroopsAt(world, next.buyerId)).toBe(0n);
  });

  it('accepts only the master key, an asset of the network and an amount', async () => {
    const path = `/marketplaces/${market.id}/treasury-share`;
    const body = { asset: 'USDC', funded: '1.00' };
    expect((await market.send('PUT', path, { body })).status).toBe(403);
    expect((await setShare('1.001')).json.error.code).toBe('VALIDATION_ERROR');
    expect((await setShare('1.00', 'USD')).json.error.code).toBe('VALIDATION_ERROR');
    expect((await setShare('0')).json.data.data.funded).toBe('0.0000000');
  });

  it('counts each asset separately', async () => {
    await setShare('5.00', 'XLM');
    const [userId] = (await usersWith(world, market, 1, '1.00')) as [UserId];
    await creditBalance(world.app, market.call, userId, { amount: '5.00', currency: 'XLM' });
    await world.mirror(market);
    expect(await stroopsAt(world, userId, 'XLM')).toBe(50_000_000n);
    expect(await stroopsAt(world, userId)).toBe(0n);
  });
});
