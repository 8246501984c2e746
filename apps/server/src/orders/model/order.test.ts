//! Tests the constraints that PostgreSQL itself enforces on orders.

import {
  CLOSE_REASONS,
  CONTRACT_TYPES,
  DECISIONS,
  DISPUTE_PARTIES,
  DISPUTE_REASONS,
} from '@holdfast/contract/enums';
import { ESCROW_CURRENCIES } from '@holdfast/contract/limits';
import { statesOf } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import { escrowMachine } from '@holdfast/contract/machines/escrow-machine';
import { milestoneMachine } from '@holdfast/contract/machines/milestone-machine';
import { orderMachine } from '@holdfast/contract/machines/order-machine';
import { AssertionFailed } from '@holdfast/kernel/assert';
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { orderIn } from '../../testing/orders.ts';
import { useMarket } from '../../testing/use-world.ts';
import { getOrder } from '../order/read-orders.ts';
import { insertDispute } from './dispute.ts';
import { insertEscrow, moveEscrow } from './escrow.ts';
import { lockOrder, moveOrder } from './order.ts';

const { world, market } = useMarket();

const inTx = <T>(work: (tx: Tx) => Promise<T>) => transact(world.app, market.call, work);
const tryOut = (text: string) =>
  inTx((tx) => tx.query({ name: `try ${text}`.slice(0, 60), text, values: [] }));

describe('a column that holds a word holds those of the contract', () => {
  it.each([
    ['orders_status_check', statesOf(orderMachine)],
    ['orders_close_reason_check', CLOSE_REASONS],
    ['orders_currency_check', ESCROW_CURRENCIES],
    ['milestone_status_check', statesOf(milestoneMachine)],
    ['escrow_status_check', statesOf(escrowMachine)],
    ['escrow_contract_type_check', CONTRACT_TYPES],
    ['dispute_status_check', statesOf(disputeMachine)],
    ['dispute_opened_by_check', DISPUTE_PARTIES],
    ['dispute_reason_check', DISPUTE_REASONS],
    ['dispute_decision_check', DECISIONS],
  ] as const)('%s', async (name, words) => {
    const [row] = await world.rows<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1`,
      [name],
    );
    const held = [...(row?.text ?? '').matchAll(/'(\w+)'/g)].map(([, word]) => word);
    expect(held.sort()).toEqual([...words].sort());
  });
});

describe('the service', () => {
  it.each([
    ['orders', 'amount = amount + 1'],
    ['orders', `seller_id = 'usr_other'`],
    ['orders', 'fee = 0'],
    ['milestone', 'amount = 1'],
    ['escrow', `seller_address = 'GOTHER'`],
    ['dispute', `opened_by = 'SELLER'`],
  ])('cannot change what was agreed: %s set %s', async (table, change) => {
    await expect(tryOut(`update ${table} set ${change}`)).rejects.toThrow(/permission denied/);
  });

  it.each(['orders', 'milestone', 'escrow', 'dispute'])('cannot delete from %s', async (table) => {
    await expect(tryOut(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  });
});

describe('an order', () => {
  it('moves only along its table, even without a check in the code', async () => {
    const { id } = await orderIn(world, market, 'ORDER_CREATED');
    await expect(inTx((tx) => moveOrder(tx, { id }, 'requestRelease'))).rejects.toThrow(
      AssertionFailed,
    );
    expect((await getOrder(world.app, market.call, id)).status).toBe('ORDER_CREATED');
  });

  it('has one escrow at a time, and another after one was given up', async () => {
    const { id } = await orderIn(world, market, 'ESCROW_CREATING');
    const another = (tx: Tx) =>
      inFullOrder(tx, id, (_, escrow) =>
        insertEscrow(tx, { ...escrow, id: newId('esc', Date.now()) }),
      );
    await expect(inTx(another)).rejects.toThrow(/escrow_order_key/);
    await inTx((tx) =>
      inFullOrder(tx, id, async (order, escrow) => {
        await moveEscrow(tx, escrow, 'deployRefused');
        await moveOrder(tx, order, 'escrowRefused');
        const escrowId = newId('esc', Date.now());
        await insertEscrow(tx, { ...escrow, id: escrowId });
        await moveOrder(tx, order, 'openEscrow', { escrowId });
      }),
    );
    expect((await getOrder(world.app, market.call, id)).escrow).toMatchObject({
      status: 'CREATING',
      providerContractId: null,
    });
  });

  it('has one unresolved dispute', async () => {
    const { id } = await orderIn(world, market, 'DISPUTED');
    const complaint = { openedBy: 'BUYER', reason: 'OTHER', evidence: null } as const;
    await expect(
      inTx((tx) => insertDispute(tx, { id: newId('dsp', Date.now()), orderId: id, ...complaint })),
    ).rejects.toThrow(/dispute_unresolved_key/);
  });

  it('shares its contract with no other, in no marketplace', async () => {
    const one = await orderIn(world, market, 'ESCROW_FUNDING');
    const { escrow } = await getOrder(world.app, market.call, one.id);
    const providerContractId = escrow?.providerContractId ?? '';
    const other = await world.market();
    const two = await orderIn(world, other, 'ESCROW_CREATING');
    await expect(
      transact(world.app, other.call, (tx) =>
        inFullOrder(tx, two.id, (_, theirs) =>
          moveEscrow(tx, theirs, 'deployed', { providerContractId }),
        ),
      ),
    ).rejects.toThrow(/contract_pkey/);
  });

  // Serializable transactions conflict on rows that both read: a lock must not read other orders.
  // Locks of an earlier transaction can outlive it under the same pid: only this one's count.
  it('is locked and moved without reading other orders', async () => {
    const milestones = [{ ref: 'm', title: '', amount: '100.00' }];
    for (let count = 0; count < 5; count += 1)
      await orderIn(world, market, 'DISPUTED', { milestones });
    await world.rows('analyze');
    const { id } = await orderIn(world, market, 'IN_PROGRESS', { milestones });
    const read = await inTx(async (tx) => {
      const order = await lockOrder(tx, id);
      await moveOrder(tx, order, 'requestRelease');
      return tx.query<{ what: string }>(sql`
        select distinct locktype || ' ' || relation::regclass as what from pg_locks
        where mode = 'SIReadLock' and virtualtransaction in (
            select virtualtransaction from pg_locks
            where locktype = 'virtualxid' and pid = pg_backend_pid())
          and relation::regclass::text ~ '^(orders|escrow|dispute|milestone)' order by 1`);
    });
    expect(read.map(({ what }) => what)).toEqual([
      'page escrow_pkey',
      'page milestone_pkey',
      'page orders_pkey',
      'tuple escrow',
      'tuple milestone',
    ]);
  });
});

async function inFullOrder<T>(
  tx: Tx,
  id: Parameters<typeof lockOrder>[1],
  work: (
    order: Awaited<ReturnType<typeof lockOrder>>,
    escrow: NonNullable<Awaited<ReturnType<typeof lockOrder>>['escrow']>,
  ) => Promise<T>,
): Promise<T> {
  const order = await lockOrder(tx, id);
  if (order.escrow === null) throw new Error('the order has an escrow');
  return work(order, order.escrow);
}
