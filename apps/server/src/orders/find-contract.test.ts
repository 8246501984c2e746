import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sagas } from '../jobs/sagas.ts';
import { read, transact } from '../platform/transact.ts';
import { done } from '../providers/outcome.ts';
import { driveInPlace } from '../testing/engine.ts';
import {
  dealIn,
  type EscrowedDeal,
  type EscrowWorld,
  effectsOf,
  lookAt,
  openEscrowWorld,
  refusalOf,
} from '../testing/escrows.ts';
import { toldBy } from '../testing/orders.ts';
import { adaptersOf } from '../testing/sandbox.ts';
import type { Market } from '../testing/world.ts';
import { createEscrow } from './create-escrow.ts';
import { confirmDeployed, findAwaited } from './find-contract.ts';
import { fundEscrow } from './fund-escrow.ts';
import { getOrder } from './get-order.ts';
import { findOrder } from './order.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openEscrowWorld();
  market = await world.market();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.sandbox.clearFaults();
  // What another test has left open is not counted with one's own.
  await driveInPlace(world, world.custody, sagas).runWorker();
});

const CREATING = { status: 'ESCROW_CREATING', closeReason: null, escrow: 'CREATING' };
const CREATED = { status: 'ESCROW_FUNDING', closeReason: null, escrow: 'CREATED' };

/** A deployment that did not tell its contract. */
async function parked(): Promise<EscrowedDeal> {
  const deal = await dealIn(world, market, 'FUNDS_RESERVED');
  await world.sandbox.arm('escrow', 'deploy', 'no-contract-id');
  const { escrow } = await createEscrow(world.app, market.call, deal.id);
  expect(escrow?.providerContractId).toBeNull();
  return deal;
}

describe('a deployment that tells no contract id', () => {
  it('answers well, and leaves the order where it is', async () => {
    const deal = await parked();
    expect(await lookAt(world, market, deal)).toEqual(CREATING);
    expect(await refusalOf(fundEscrow(world.app, market.call, deal.id))).toMatchObject({
      code: 'INVALID_STATE',
    });
    await world.engine.runWorker();
  });

  it('moves on by itself once the network tells it', async () => {
    const deal = await parked();
    expect(await world.engine.runWorker()).toBe(0);
    expect(await lookAt(world, market, deal)).toEqual(CREATED);
    await fundEscrow(world.app, market.call, deal.id);
    expect(await effectsOf(world, deal)).toEqual(['deploy', 'fund']);
  });

  it.each(['is silent', 'still does not tell'])(
    'moves on by the provider’s record while the RPC node %s',
    async (kind) => {
      const deal = await parked();
      const away = adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' }).network;
      const createdContract = (hash: string) =>
        kind === 'is silent' ? away.createdContract(hash) : Promise.resolve(done(null));
      const network = { ...world.custody.network, createdContract };
      const engine = driveInPlace(world, { ...world.custody, network }, sagas);
      expect(await engine.runWorker()).toBe(0);
      expect(await lookAt(world, market, deal)).toEqual(CREATED);
    },
  );

  it('waits while neither the network nor the provider tells', async () => {
    const deal = await parked();
    const away = adaptersOf({ ...world.sandbox, url: 'http://127.0.0.1:1' });
    const createdContract = (hash: string) => away.network.createdContract(hash);
    const network = { ...world.custody.network, createdContract };
    const read = (contractId: string) => away.escrow.read(contractId);
    const escrows = { ...world.custody.escrows, read };
    const deaf = driveInPlace(world, { ...world.custody, network, escrows }, sagas);
    expect(await deaf.runWorker()).toBe(1);
    expect(await lookAt(world, market, deal)).toEqual(CREATING);
    expect(await world.engine.runWorker()).toBe(0);
    expect(await lookAt(world, market, deal)).toEqual(CREATED);
  });

  it('moves on when somebody else finds out, and only once', async () => {
    const deal = await parked();
    const awaited = await read(world.app, market.call, async (tx) => {
      const order = await findOrder(tx, deal.id);
      return order?.escrow ? findAwaited(tx, order.escrow) : undefined;
    });
    const call = { ...market.call };
    if (awaited === undefined) throw new Error('its contract is known to us');
    const { contractId, hash } = awaited;
    await transact(world.app, call, (tx) => confirmDeployed(tx, deal.id, contractId, hash));
    expect(await lookAt(world, market, deal)).toEqual(CREATED);
    expect((await getOrder(world.app, market.call, deal.id)).escrow?.providerContractId).toBe(
      contractId,
    );
    expect(await world.engine.runWorker()).toBe(0);
    expect((await toldBy(world, call)).map(({ type }) => type)).toEqual([
      'escrow.created',
      'order.escrow_funding',
    ]);
    const [told] = await world.rows(
      `select count(*)::int as n from event where event_type = 'escrow.created' and payload->>'orderId' = $1`,
      [deal.id],
    );
    expect(told).toEqual({ n: 1 });
  });

  it('is never believed when the network tells another contract than the one we signed', async () => {
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    const other = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75';
    const network = { ...world.custody.network, createdContract: async () => done(other) };
    const lied = driveInPlace(world, { ...world.custody, network }, sagas);
    expect(await refusalOf(createEscrow(world.app, market.call, deal.id))).toMatchObject({
      code: 'PROVIDER_TIMEOUT',
    });
    expect(await lied.runWorker()).toBe(1);
    expect(await lookAt(world, market, deal)).toEqual(CREATING);
    expect(
      await world.rows('select status from operation where resource_id = $1', [deal.id]),
    ).toEqual([{ status: 'RAISED' }]);
  });
});
