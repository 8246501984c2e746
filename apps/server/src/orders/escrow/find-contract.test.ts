import { beforeEach, describe, expect, it } from 'vitest';
import { sagas } from '../../app/sagas.ts';
import { read, transact } from '../../platform/database/transact.ts';
import { done } from '../../providers/outcome.ts';
import { executeInProcess } from '../../testing/engine.ts';
import {
  type EscrowedOrder,
  effectsOf,
  escrowOrderIn,
  refusalOf,
  statesOf,
  useEscrowWorld,
} from '../../testing/escrows.ts';
import { eventsOf } from '../../testing/orders.ts';
import { adaptersOf } from '../../testing/sandbox.ts';
import { findOrder } from '../model/order.ts';
import { getOrder } from '../order/read-orders.ts';
import { createEscrow } from './create-escrow.ts';
import { confirmDeployed, findAwaited } from './find-contract.ts';
import { fundEscrow } from './fund-escrow.ts';

const { world, market } = useEscrowWorld();
// Finishes open operations of other tests, so that they are not counted here.
beforeEach(() => executeInProcess(world, world.custody, sagas).runWorker());

const CREATING = { status: 'ESCROW_CREATING', closeReason: null, escrow: 'CREATING' };
const CREATED = { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' };

/** An order whose deployment did not return its contract. */
async function parked(): Promise<EscrowedOrder> {
  const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
  await world.sandbox.arm('escrow', 'deploy', 'no-contract-id');
  const { escrow } = await createEscrow(world.app, market.call, fixture.id);
  expect(escrow?.providerContractId).toBeNull();
  return fixture;
}

describe('deploying without a returned contract id', () => {
  it('succeeds, and leaves the order in its state', async () => {
    const fixture = await parked();
    expect(await statesOf(world, market, fixture)).toEqual(CREATING);
    expect(await refusalOf(fundEscrow(world.app, market.call, fixture.id))).toMatchObject({
      code: 'INVALID_STATE',
    });
    await world.engine.runWorker();
  });

  it('moves on by itself once the network returns the id', async () => {
    const fixture = await parked();
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statesOf(world, market, fixture)).toEqual(CREATED);
    await fundEscrow(world.app, market.call, fixture.id);
    expect(await effectsOf(world, fixture)).toEqual(['deploy', 'fund']);
  });

  it.each(['is silent', 'does not return it'])(
    'moves on by the provider’s record while the RPC node %s',
    async (kind) => {
      const fixture = await parked();
      const away = adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' }).network;
      const createdContract = (hash: string) =>
        kind === 'is silent' ? away.createdContract(hash) : Promise.resolve(done(null));
      const network = { ...world.custody.network, createdContract };
      const engine = executeInProcess(world, { ...world.custody, network }, sagas);
      expect(await engine.runWorker()).toBe(0);
      expect(await statesOf(world, market, fixture)).toEqual(CREATED);
    },
  );

  it('waits while neither the network nor the provider returns the id', async () => {
    const fixture = await parked();
    const away = adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' });
    const createdContract = (hash: string) => away.network.createdContract(hash);
    const network = { ...world.custody.network, createdContract };
    const read = (contractId: string) => away.escrow.read(contractId);
    const escrows = { ...world.custody.escrows, read };
    const deaf = executeInProcess(world, { ...world.custody, network, escrows }, sagas);
    expect(await deaf.runWorker()).toBe(1);
    expect(await statesOf(world, market, fixture)).toEqual(CREATING);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await statesOf(world, market, fixture)).toEqual(CREATED);
  });

  it('moves on when another process finds the id, and only once', async () => {
    const fixture = await parked();
    const awaited = await read(world.app, market.call, async (tx) => {
      const order = await findOrder(tx, fixture.id);
      return order?.escrow ? findAwaited(tx, order.escrow) : undefined;
    });
    const call = { ...market.call };
    if (awaited === undefined) throw new Error('its contract is known to us');
    const { contractId, hash } = awaited;
    await transact(world.app, call, (tx) => confirmDeployed(tx, fixture.id, contractId, hash));
    expect(await statesOf(world, market, fixture)).toEqual(CREATED);
    expect((await getOrder(world.app, market.call, fixture.id)).escrow?.providerContractId).toBe(
      contractId,
    );
    expect(await world.engine.runWorker()).toBe(0);
    expect((await eventsOf(world, call)).map(({ type }) => type)).toEqual([
      'escrow.created',
      'order.escrow_funding',
    ]);
    const [counted] = await world.rows(
      `select count(*)::int as n from event where event_type = 'escrow.created' and payload->>'orderId' = $1`,
      [fixture.id],
    );
    expect(counted).toEqual({ n: 1 });
  });

  it('never accepts a contract other than the one we signed', async () => {
    const fixture = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    const other = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75';
    const network = { ...world.custody.network, createdContract: async () => done(other) };
    const lied = executeInProcess(world, { ...world.custody, network }, sagas);
    expect(await refusalOf(createEscrow(world.app, market.call, fixture.id))).toMatchObject({
      code: 'PROVIDER_TIMEOUT',
    });
    expect(await lied.runWorker()).toBe(1);
    expect(await statesOf(world, market, fixture)).toEqual(CREATING);
    expect(
      await world.rows('select status from operation where resource_id = $1', [fixture.id]),
    ).toEqual([{ status: 'ESCALATED' }]);
  });
});
