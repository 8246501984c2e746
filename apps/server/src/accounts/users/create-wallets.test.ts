import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createUser } from './create-user.ts';
import { createWallets } from './create-wallets.ts';

const world = useOpened(openSandboxWorld);
beforeEach(() => world.sandbox.clearFaults());

const users = async (count: number) => {
  const market = await world.market();
  for (let created = 0; created < count; created += 1) {
    await createUser(world.app, market.call, { externalUserId: randomUUID() });
  }
  return market;
};

const walletsOf = (marketplace: string) =>
  world.rows<{ status: string; address: string; user_id: string }>(
    'select status, address, user_id from wallet where marketplace_id = $1 order by id',
    [marketplace],
  );

describe('creating wallets', () => {
  it('gives every user a sponsored address with a USDC trustline and no XLM, once', async () => {
    const market = await users(20);
    await world.runWorker();
    const wallets = await walletsOf(market.call.actor.marketplace);
    expect(wallets.map(({ status }) => status)).toEqual(Array(20).fill('READY'));
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(20);
    for (const { address } of wallets.slice(0, 3)) {
      expect(await world.custody.network.account(address)).toMatchObject({
        kind: 'done',
        value: {
          hasUsdcTrustline: true,
          assets: expect.arrayContaining([{ code: 'XLM', stroops: 0n }]),
        },
      });
    }
    // Eighteen fit into one envelope.
    expect(
      await world.rows(
        `select state, count(*)::int from envelope where marketplace_id = $1 group by 1`,
        [market.call.actor.marketplace],
      ),
    ).toEqual([{ state: 'APPLIED', count: 2 }]);
  });

  it('shows no address before another machine has its seed', async () => {
    const market = await users(2);
    const { marketplace } = market.call.actor;
    const statuses = async () => (await walletsOf(marketplace)).map(({ status }) => status);
    const config = { HOLDFAST_DURABILITY: 'standby' } as const;
    for (let run = 0; run < 3; run += 1) await createWallets({ ...world.custody, config });
    expect(await statuses()).toEqual(['KEYED', 'KEYED']);
    expect(
      await world.rows(
        `select from outbox where event_type = 'user.ledger_linked' and marketplace_id = $1`,
        [marketplace],
      ),
    ).toEqual([]);
    const clock = { now: () => world.custody.clock.now() + 2000 };
    await createWallets({ ...world.custody, config: { HOLDFAST_DURABILITY: 'none' }, clock });
    expect(await statuses()).toEqual(['READY', 'READY']);
  });

  it('emits one event and writes one audit entry for each, with the address', async () => {
    const market = await users(2);
    await world.runWorker();
    await createWallets(world.custody);
    const rows = await world.rows(
      `select w.address = o.payload->>'ledgerAddress' as same, a.actor_type
      from wallet w join outbox o on o.aggregate_id = w.user_id and o.event_type = 'user.ledger_linked'
      join audit a on a.resource_id = w.user_id and a.action = 'LEDGER_ADDRESS_LINKED'
      where w.marketplace_id = $1`,
      [market.call.actor.marketplace],
    );
    expect(rows).toEqual(Array(2).fill({ same: true, actor_type: 'SYSTEM' }));
  });

  it.each(['error-before', 'error-after', 'drop-before', 'drop-after', 'garbage'])(
    'succeeds when the network replies with %s, and creates no account twice',
    async (kind) => {
      const market = await users(3);
      await world.sandbox.arm('ledger', 'submit', kind);
      await world.runWorker();
      await world.runWorker();
      const wallets = await walletsOf(market.call.actor.marketplace);
      expect(wallets.map(({ status }) => status)).toEqual(Array(3).fill('READY'));
      expect(
        await world.rows(`select attempt, state from envelope where marketplace_id = $1`, [
          market.call.actor.marketplace,
        ]),
      ).toEqual([{ attempt: 1, state: 'APPLIED' }]);
    },
  );

  it('retries one by one after a refusal by the network', async () => {
    const market = await users(3);
    await world.sandbox.arm('ledger', 'submit', 'reject');
    for (let rounds = 0; rounds < 5; rounds += 1) await createWallets(world.custody);
    const wallets = await walletsOf(market.call.actor.marketplace);
    expect(wallets.map(({ status }) => status)).toEqual(Array(3).fill('READY'));
  });

  it('creates each wallet once with two concurrent workers', async () => {
    const market = await users(8);
    await Promise.all([
      createWallets(world.custody),
      createWallets(world.custody),
      createWallets(world.custody),
    ]);
    await world.runWorker();
    const events = await world.rows(
      `select count(*)::int as n from outbox where marketplace_id = $1 and event_type = 'user.ledger_linked'`,
      [market.call.actor.marketplace],
    );
    expect(events).toEqual([{ n: 8 }]);
  });

  // The data in a stolen database.
  it('stores no seed that the database alone could open', async () => {
    await users(1);
    await world.runWorker();
    const [row] = await world.rows<{ sealed_seed: Buffer; wrapped_key: Buffer }>(
      'select sealed_seed, wrapped_key from wallet where address is not null limit 1',
    );
    expect(row?.sealed_seed.length).toBe(12 + 32 + 16);
    expect(row?.wrapped_key.length).toBe(12 + 32 + 16);
  });
});
