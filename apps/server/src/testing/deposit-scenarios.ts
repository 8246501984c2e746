//! Everything that can become of a look for deposits and of a sync, for comparing what is emitted.
import { randomUUID } from 'node:crypto';
import type { EscrowWorld } from './escrows.ts';
import { runMirror } from './mirror.ts';
import type { Scenario } from './order-scenarios.ts';
import type { Market } from './world.ts';

interface Stage {
  readonly world: EscrowWorld;
  readonly market: Market;
}

interface Holder {
  readonly userId: string;
  readonly address: string;
}

/** A user whose books and address agree. */
async function holder({ world, market }: Stage): Promise<Holder> {
  const userId = await market.user();
  await world.runWorker();
  const body = { amount: '15.00' };
  await market.send('POST', `/users/${userId}/balance/credit`, { body });
  await runMirror(world, world.custody);
  const [wallet] = await world.rows<{ address: string }>(
    'select address from wallet where user_id = $1',
    [userId],
  );
  return { userId, address: wallet?.address ?? '' };
}

/** Something for the watcher to find. */
export async function depositSomething(stage: Stage): Promise<void> {
  const { address } = await holder(stage);
  await stage.world.sandbox.deposit(address, 'USDC', '1');
}

export function syncScenarios(stage: () => Stage): Scenario[] {
  const drifted = async (direction: 'more' | 'less') => {
    const { world } = stage();
    const { userId, address } = await holder(stage());
    const drift = { address, asset: 'USDC', amount: '1', direction };
    await world.sandbox.control('POST', '/ledger/drift', drift);
    return { ids: { userId } };
  };
  return [
    async () => ({ ids: { userId: (await holder(stage())).userId } }),
    async () => drifted('more'),
    async () => drifted('less'),
    async () => {
      const { market } = stage();
      const { ids } = await drifted('more');
      const headers = { 'idempotency-key': randomUUID() };
      await market.send('POST', `/users/${ids.userId}/balance/sync`, { headers });
      return { ids, headers, isRepeat: true };
    },
  ];
}
