import { Operation } from '@stellar/stellar-sdk/base';
import { describe, expect, it } from 'vitest';
import { refundOrder } from '../../orders/settlement/refund-order.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { availableOf, type Holder, holderIn } from '../../testing/deposits.ts';
import {
  auditBooks,
  completeAll,
  escrowOrderIn,
  stroopsAt,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { openExternalPayer, payFromTreasury, usdcOf } from '../../testing/external-payer.ts';
import { runMirror } from '../../testing/mirror.ts';
import { useOpened } from '../../testing/use-world.ts';
import { creditDeposits } from './credit-deposits.ts';
import { findExternalPayments } from './external-payments.ts';

const { world, market } = useEscrowWorld();
const payer = useOpened(() => openExternalPayer(world));

const holder = () => holderIn(world, market);
const available = (user: Holder) => availableOf(market, user);

describe('our own payments are no deposits', () => {
  it('when contracts pay because an order is released or refunded', async () => {
    await creditDeposits(world.custody);
    const [released, refunded] = [
      await escrowOrderIn(world, market, 'IN_PROGRESS'),
      await escrowOrderIn(world, market, 'IN_PROGRESS'),
    ];
    await completeAll(world, market, released);
    await releaseOrder(world.app, market.call, released.id);
    await refundOrder(world.app, market.call, refunded.id, { reason: 'not needed' });
    await world.engine.runWorker();
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await auditBooks(world)).toEqual([]);
  });

  it('when the mirror sends them, or takes them back', async () => {
    const user = await holder();
    await creditDeposits(world.custody);
    for (const [action, amount] of [
      ['credit', '10.00'],
      ['debit', '4.00'],
    ] as const) {
      await market.send('POST', `/users/${user.id}/balance/${action}`, { body: { amount } });
      expect(await runMirror(world, world.custody)).toBe(0);
    }
    expect(await stroopsAt(world, user.id)).toBe(60_000_000n);
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user)).toBe('6.00');
  });

  it('when the treasury sends them, even if they were not recorded', async () => {
    const user = await holder();
    await payFromTreasury(world, user.address, '6');
    expect(await creditDeposits(world.custody)).toBe(0);
    expect(await available(user)).toBe('0.00');
  });

  it('by hash or by sender, for every kind of payment', async () => {
    for (let count = 0; count < 2; count += 1) await escrowOrderIn(world, market, 'IN_PROGRESS');
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
      hash: 'an external payer’s',
      from: payer.address,
      to: user.address,
      asset: 'USDC',
      stroops: 1n,
      by: 'payment',
    } as const;
    const find = (changes: object) => findExternalPayments(world.app, [{ ...paid, ...changes }]);
    expect(await find({})).toHaveLength(1);
    for (const { from } of senders) expect(await find({ from }), from).toEqual([]);
    for (const { hash } of hashes) expect(await find({ hash }), hash).toEqual([]);
    expect(await find({ asset: 'other' })).toEqual([]);
    expect(await find({ stroops: 0n })).toEqual([]);
    expect(await find({ to: payer.address })).toEqual([]);
  });

  it('when they failed on the network', async () => {
    const user = await holder();
    const other = Operation.payment({
      destination: user.address,
      asset: usdcOf(world),
      amount: '100000',
    });
    await expect(payer.send(other)).rejects.toThrow('refused');
    expect(await creditDeposits(world.custody)).toBe(0);
  });
});
