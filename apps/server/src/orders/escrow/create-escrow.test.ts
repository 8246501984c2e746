import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { sagas } from '../../app/sagas.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { executeInProcess } from '../../testing/engine.ts';
import {
  auditBooks,
  balanceOf,
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  linkedUser,
  milestonesOf,
  refusalOf,
  statesOf,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { auditedBy, eventsOf, oneCall, snapshotDatabase } from '../../testing/orders.ts';
import { adaptersOf } from '../../testing/sandbox.ts';
import { getOrder } from '../order/read-orders.ts';
import { createEscrow } from './create-escrow.ts';
import { confirmDeployed } from './find-contract.ts';
import { fundEscrow } from './fund-escrow.ts';

const { world, market } = useEscrowWorld();

const create = ({ id }: EscrowedOrder) => createEscrow(world.app, market.call, id);
const RESERVED = { status: 'FUNDS_RESERVED', closeReason: null, escrow: null };
const CREATING = { status: 'ESCROW_CREATING', closeReason: null, escrow: 'CREATING' };
const CREATED = { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' };

describe('creating an escrow', () => {
  it.each([
    [0, 'SINGLE_RELEASE', 'single-release'],
    [1, 'SINGLE_RELEASE', 'single-release'],
    [3, 'MULTI_RELEASE', 'multi-release'],
  ])('deploys a contract for %i milestones: %s', async (count, contractType, kind) => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED', {
      milestones: milestonesOf(count),
    });
    const { escrow } = await create(order);
    expect(await statesOf(world, market, order)).toEqual(CREATED);
    expect(escrow).toMatchObject({ contractType, deployHash: expect.any(String) });
    expect(await effectsOf(world, order)).toEqual(['deploy']);
    const state = await world.custody.escrows.read(escrow?.providerContractId ?? '');
    const amounts = count === 3 ? [300_000_000n, 300_000_000n, 400_000_000n] : [null];
    expect(state).toMatchObject({
      kind: 'done',
      value: { kind, engagementId: order.id, balanceStroops: 0n, feeBasisPoints: 500n },
    });
    expect(state.kind === 'done' && state.value?.milestones.map((each) => each.stroops)).toEqual(
      amounts,
    );
  });

  it('emits events and audit entries under the request', async () => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    const call = oneCall(market);
    const { escrow } = await createEscrow(world.app, call, order.id);
    const about = { orderId: order.id, escrowId: escrow?.id, amount: '100.00' };
    expect(await eventsOf(world, call)).toEqual([
      { type: 'order.escrow_creating', payload: about },
      { type: 'escrow.created', payload: { ...about, currency: 'USD' } },
      {
        type: 'order.escrow_funding',
        payload: { ...about, providerContractId: escrow?.providerContractId },
      },
    ]);
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_CREATE_REQUESTED', resource: order.id, result: 'SUCCESS' },
      { action: 'ESCROW_CREATED', resource: order.id, result: 'SUCCESS' },
    ]);
  });

  it('waits for wallets that are being created', async () => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED', {
      sellerId: await linkedUser(world, market),
    });
    const sellerId = await linkedUser(world, market);
    await world.rows('update orders set seller_id = $1 where id = $2', [sellerId, order.id]);
    const created = create(order);
    await sleep(200);
    await world.runWorker();
    expect((await created).escrow?.status).toBe('CREATED');
  });

  it('rolls back when the network refuses, and can be tried again', async () => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await world.sandbox.arm('escrow', 'deploy', 'reject');
    const call = oneCall(market);
    const { code, details } = await refusalOf(createEscrow(world.app, call, order.id));
    expect(code).toBe('INTERNAL_ERROR');
    expect(details).toEqual({
      reason: expect.stringContaining('failed'),
      operationId: expect.any(String),
    });
    expect(await statesOf(world, market, order)).toEqual(RESERVED);
    expect(await balanceOf(world, market, order.buyerId)).toBe('0.00 100.00');
    expect(await auditedBy(world, call)).toMatchObject([
      { action: 'ESCROW_CREATE_REQUESTED' },
      { action: 'ESCROW_CREATE_FAILED', resource: order.id, result: 'FAILURE' },
    ]);
    await create(order);
    expect(await statesOf(world, market, order)).toEqual(CREATED);
  });

  it.each(['drop-after', 'drop-before', 'error-after', 'garbage'])(
    'is unknown after %s, and ends by itself, with one contract',
    async (kind) => {
      const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
      await world.sandbox.arm('escrow', 'deploy', kind);
      const { code, details } = await refusalOf(create(order));
      expect(code).toBe('PROVIDER_TIMEOUT');
      expect(details).toEqual({ operationId: expect.stringMatching(/^op_/) });
      expect((await getOrder(world.app, market.call, order.id)).status).toBe('ESCROW_CREATING');
      expect(await world.engine.runWorker()).toBe(0);
      expect(await statesOf(world, market, order)).toEqual(CREATED);
      expect(await effectsOf(world, order)).toEqual(['deploy']);
    },
  );

  describe('while no RPC node responds', () => {
    const away = () => adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' });
    const withoutRpc = () => {
      const createdContract = (hash: string) => away().network.createdContract(hash);
      return { ...world.custody, network: { ...world.custody.network, createdContract } };
    };
    afterEach(() => void executeInProcess(world, world.custody, sagas));

    it('is confirmed by the provider’s record of the contract', async () => {
      const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED', {
        milestones: milestonesOf(3),
      });
      executeInProcess(world, withoutRpc(), sagas);
      const { escrow } = await create(order);
      expect(await statesOf(world, market, order)).toEqual(CREATED);
      const [deployed] = (await world.sandbox.journal()).filter(
        ({ orderId }) => orderId === order.id,
      );
      expect(escrow?.providerContractId).toBe(deployed?.contractId);
      await fundEscrow(world.app, market.call, order.id);
      expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
    });

    it('is not confirmed by a record of another order’s contract', async () => {
      const other = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
      const { escrow } = await getOrder(world.app, market.call, other.id);
      const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
      const { escrows } = world.custody;
      const read = () => escrows.read(escrow?.providerContractId ?? '');
      executeInProcess(world, { ...withoutRpc(), escrows: { ...escrows, read } }, sagas);
      expect((await refusalOf(create(order))).code).toBe('PROVIDER_TIMEOUT');
      expect(await statesOf(world, market, order)).toEqual(CREATING);
      expect(await executeInProcess(world, withoutRpc(), sagas).runWorker()).toBe(0);
      expect(await statesOf(world, market, order)).toEqual(CREATED);
    });

    it('ends when another process has confirmed it, even without a reply from others', async () => {
      const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
      const read = (contractId: string) => away().escrow.read(contractId);
      const deaf = { ...withoutRpc(), escrows: { ...world.custody.escrows, read } };
      const engine = executeInProcess(world, deaf, sagas);
      expect((await refusalOf(create(order))).code).toBe('PROVIDER_TIMEOUT');
      expect(await engine.runWorker()).toBe(1);
      const [deployed] = (await world.sandbox.journal()).filter(
        ({ orderId }) => orderId === order.id,
      );
      const { contractId = '', txHash = '' } = deployed ?? {};
      const confirm = (tx: Tx) => confirmDeployed(tx, order.id, contractId, txHash);
      await transact(world.app, { ...market.call }, confirm);
      expect(await engine.runWorker()).toBe(0);
      executeInProcess(world, world.custody, sagas);
      await fundEscrow(world.app, market.call, order.id);
      expect(await effectsOf(world, order)).toEqual(['deploy', 'fund']);
    });
  });

  it('deploys once for ten requests at once', async () => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => create(order)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await effectsOf(world, order)).toEqual(['deploy']);
  });

  it('deploys ten contracts for ten orders of one buyer at once', async () => {
    const first = await escrowOrderIn(world, market, 'FUNDS_RESERVED', {
      amount: '1.00',
      funds: '10.00',
    });
    const { buyerId, sellerId } = first;
    const orders = [first];
    for (let more = 1; more < 10; more += 1) {
      const options = { buyerId, sellerId, amount: '1.00' };
      orders.push(await escrowOrderIn(world, market, 'FUNDS_RESERVED', options));
    }
    await Promise.all(orders.map(create));
    for (const order of orders) expect(await statesOf(world, market, order)).toEqual(CREATED);
  });

  it('is refused in the specification’s order of checks, and changes nothing', async () => {
    const unlinked = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await world.rows('update users set payment_account_user_id = null where id = $1', [
      unlinked.sellerId,
    ]);
    const created = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    const fresh = await escrowOrderIn(world, market, 'ORDER_CREATED');
    const before = await snapshotDatabase(world);
    expect(await refusalOf(create(fresh))).toMatchObject({ code: 'INVALID_STATE' });
    expect(await refusalOf(create(created))).toMatchObject({ code: 'INVALID_STATE' });
    expect(await refusalOf(create(unlinked))).toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { reason: 'the seller has no payment account' },
    });
    const unknown = { ...fresh, id: 'ord_00000000000000000000000000' as const };
    expect(await refusalOf(create(unknown as EscrowedOrder))).toMatchObject({
      code: 'ORDER_NOT_FOUND',
    });
    expect(await snapshotDatabase(world)).toEqual(before);
  });

  it('leaves books that the auditor accepts', async () => {
    expect(await auditBooks(world)).toEqual([]);
  });
});
