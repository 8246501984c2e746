//! Every outcome of a deposit check and of a sync, for comparing the emitted events.
import { randomUUID } from 'node:crypto';
import type { UserId } from '@holdfast/kernel/ids';
import { owe } from '../debts.ts';
import type { EscrowWorld } from '../escrows.ts';
import { runMirror } from '../mirror.ts';
import { addressOf } from '../sandbox-world.ts';
import type { Market } from '../world.ts';
import type { Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

interface Holder {
  readonly userId: UserId;
  readonly address: string;
}

/** A user whose books and address agree. */
async function holder({ world, market }: ScenarioContext): Promise<Holder> {
  const userId = await market.user();
  await world.runWorker();
  const body = { amount: '15.00' };
  await market.send('POST', `/users/${userId}/balance/credit`, { body });
  await runMirror(world, world.custody);
  return { userId, address: await addressOf(world, userId) };
}

/** A deposit for the watcher to find, of a user who owes money. */
export async function depositSomething(context: ScenarioContext): Promise<UserId> {
  const { world, market } = context;
  const { userId, address } = await holder(context);
  await owe(world, market, userId);
  await world.sandbox.deposit(address, 'USDC', '1');
  return userId;
}

export function syncScenarios(context: () => ScenarioContext): Scenario[] {
  const drifted = async (direction: 'more' | 'less') => {
    const { world } = context();
    const { userId, address } = await holder(context());
    const drift = { address, asset: 'USDC', amount: '1', direction };
    await world.sandbox.control('POST', '/ledger/drift', drift);
    return { ids: { userId } };
  };
  return [
    async () => ({ ids: { userId: (await holder(context())).userId } }),
    async () => drifted('more'),
    async () => drifted('less'),
    async () => ({ ids: { userId: await depositSomething(context()) } }),
    async () => {
      const { market } = context();
      const { ids } = await drifted('more');
      const headers = { 'idempotency-key': randomUUID() };
      await market.send('POST', `/users/${ids.userId}/balance/sync`, { headers });
      return { ids, headers, isRepeat: true };
    },
  ];
}
