import { Operation } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundOrder } from '../orders/refund-order.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { availableOf, type Holder, holderIn } from '../testing/deposits.ts';
import {
  auditBooks,
  completeAll,
  dealIn,
  type EscrowWorld,
  openEscrowWorld,
  stroopsAt,
} from '../testing/escrows.ts';
import { runMirror } from '../testing/mirror.ts';
import { openStranger, payFromTreasury, type Stranger, usdcOf } from '../testing/strangers.ts';
import type { Market } from '../testing/world.ts';
import { creditDeposits } from './credit-deposits.ts';
import { findStrangersPayments } from './strangers-payments.ts';

let world: EscrowWorld;
let market: Market;
let stranger: Stranger;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
  stranger = await openStranger(world);
});
afterAll(() => world.close());

const holder = () => holderIn(world, market);
const available = (user: Holder) => availableOf(market, user);

describe('what is ours is no deposit', () => {
  it('not what contracts pay when an order is released or refunded', async () => {
    await creditDeposits(world.custody);
    const [released, refunded] = [
      await dealIn(world, market, 'IN_PROGRESS'),
      await dealIn(world, market, 'IN_PROGRESS'),
    ];
    await completeAll(world, market, released);
    await releaseOrder(world.app, market.call, released.id);
    await refundOrder(world.app, market.call, refunded.id, { reason: 'not needed' });
    await world.engine.runWorker();
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await auditBooks(world)).toEqual([]);
  });

  it('not what the mirror sends, nor what it takes back', async () => {
    const user = await holder();
    await creditDeposits(world.custody);
    for (const [door, amount] of [
      ['credit', '10.00'],
      ['debit', '4.00'],
    ] as const) {
      await market.send('POST', `/users/${user.id}/balance/${door}`, { body: { amount } });
      expect(await runMirror(world, world.custody)).toBe(0);
    }
    expect(await stroopsAt(world, user.id)).toBe(60_000_000n);
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user)).toBe('6.00');
  });

  it('not what the treasury sends, though nobody wrote it down', async () => {
    const user = await holder();
    await payFromTreasury(world, user.address, '6');
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user)).toBe('0.00');
  });

  it('neither by its hash nor by its sender, of whatever kind', async () => {
    for (let deals = 0; deals < 2; deals += 1) await dealIn(world, market, 'IN_PROGRESS');
    const [user, another] = [await holder(), await holder()];
    const rows = await world.rows<{ name: string; from: string }>(
      `select kind || ' ' || number as name, address as from from house_wallet
       union all select 'contract', provider_contract_id from contract`,
    );
    const senders = [...rows, { name: 'another user', from: another.address }];
    expect(new Set(senders.map(({ name }) => name.split(' ')[0]))).toEqual(
      new Set(['treasury', 'platform', 'channel', 'resolver', 'contract', 'another']),
    );
    const hashes = await world.rows<{ hash: string }>(
      `(select hash from envelope limit 3)
       union all (select inner_hash from envelope where inner_hash is not null limit 3)`,
    );
    expect(hashes).toHaveLength(6);
    const paid = {
      operationId: '1',
      cursor: '1',
      part: 0,
      at: 0,
      hash: 'a stranger’s',
      from: stranger.address,
      to: user.address,
      asset: 'USDC',
      stroops: 1n,
      by: 'payment',
    } as const;
    const find = (changes: object) => findStrangersPayments(world.app, [{ ...paid, ...changes }]);
    expect(await find({})).toHaveLength(1);
    for (const { from } of senders) expect(await find({ from }), from).toEqual([]);
    for (const { hash } of hashes) expect(await find({ hash }), hash).toEqual([]);
    expect(await find({ asset: 'other' })).toEqual([]);
    expect(await find({ stroops: 0n })).toEqual([]);
    expect(await find({ to: stranger.address })).toEqual([]);
  });

  it('and what failed on the network is nothing at all', async () => {
    const user = await holder();
    const other = Operation.payment({
      destination: user.address,
      asset: usdcOf(world),
      amount: '100000',
    });
    await expect(stranger.send(other)).rejects.toThrow('refused');
    expect(await creditDeposits(world.custody)).toBe(0);
  });
});
