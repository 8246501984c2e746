//! Valid and invalid calls to every endpoint of reconciliation and solvency.
import { randomUUID } from 'node:crypto';
import type { ExceptionId, UserId } from '@holdfast/kernel/ids';
import { listExceptions } from '../../assurance/reconciliation/read-reconciliation.ts';
import { pausePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import type { EscrowWorld } from '../escrows.ts';
import { reconciled } from '../reconciliation.ts';
import { addressOf } from '../sandbox-world.ts';
import type { Market } from '../world.ts';
import type { Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

/** An unbooked payment to a user's address, found by a run. */
export async function anException(
  { world, market }: ScenarioContext,
  payee?: UserId,
): Promise<ExceptionId> {
  const userId = payee ?? (await market.user());
  await world.runWorker();
  await world.sandbox.deposit(await addressOf(world, userId), 'USDC', '5');
  await reconciled(world, market, { providers: ['ledger_network'] });
  const { items } = await listExceptions(world.app, market.call, { status: 'OPEN', limit: '100' });
  const found = items.find(({ resourceId }) => resourceId === userId);
  if (found === undefined) throw new Error('the run names it');
  return found.id;
}

export async function aRun({ world, market }: ScenarioContext): Promise<string> {
  return (await reconciled(world, market, { providers: ['payment_provider'] })).id;
}

export async function paused({ world, market }: ScenarioContext): Promise<{ reason: string }> {
  await transact(world.app, market.call, (tx) => pausePayouts(tx, 'for a test'));
  return { reason: 'looked into it' };
}

/** As after a restore: writes are closed. */
export async function rewound({
  world,
}: Pick<ScenarioContext, 'world'>): Promise<{ reason: string }> {
  await world.rows(`update lineage set status = 'REWOUND'`);
  await world.rows(
    `insert into recovery_step (lineage, name, started_at, finished_at, detail)
     select number, 'end', now(), now(), '' from lineage on conflict do nothing`,
  );
  return { reason: 'everything is found' };
}

export const WRITES = {
  writes: [
    {
      writeId: '123',
      requestId: '4f6c1b62-0a3e-4a52-9d0b-1f3e5a7c9d11',
      at: '2026-01-01T00:00:00.000Z',
      method: 'POST',
      path: '/api/v1/orders',
      status: 201,
      actorId: 'key_of_a_marketplace',
    },
  ],
};

export const CAPITAL = {
  location: 'ledger_network',
  asset: 'XLM',
  amount: '0.0000001',
  reason: 'for a test',
};

export function reconciliationScenarios(
  here: () => ScenarioContext,
): Readonly<Record<string, readonly Scenario[]>> {
  const plain: Scenario = async () => ({});
  const apply = { action: 'APPLY_AGAIN', reason: 'the watcher was off' };
  return {
    createReconciliationRun: [async () => ({ body: { providers: ['payment_provider'] } })],
    listReconciliationRuns: [plain],
    getReconciliationRun: [async () => ({ ids: { id: await aRun(here()) } })],
    listExceptions: [plain],
    getException: [async () => ({ ids: { id: await anException(here()) } })],
    resolveException: [
      async () => ({ ids: { id: await anException(here()) }, body: apply }),
      async () => {
        const id = await anException(here());
        const headers = { 'idempotency-key': randomUUID() };
        const path = `/reconciliation/exceptions/${id}/resolve`;
        await here().market.send('POST', path, { body: apply, headers });
        return { ids: { id }, body: apply, headers, isRepeat: true };
      },
      async () => ({
        ids: { id: await anException(here()) },
        body: { action: 'WRITE_OFF', reason: 'it can not be' },
        refused: 'INVALID_STATE',
      }),
    ],
    getSolvency: [plain, async () => ({ key: here().world.masterKey })],
    getSolvencyHistory: [plain, async () => ({ key: here().world.masterKey })],
    pausePayouts: [async () => ({ key: here().world.masterKey, body: { reason: 'for a test' } })],
    resumePayouts: [
      async () => ({ key: here().world.masterKey, body: await paused(here()) }),
      async () => ({
        key: here().world.masterKey,
        body: { reason: 'payouts are not paused' },
        refused: 'INVALID_STATE',
      }),
    ],
    getRecovery: [async () => ({ key: here().world.masterKey })],
    listFindings: [async () => ({ key: here().world.masterKey })],
    checkWrites: [async () => ({ key: here().world.masterKey, body: WRITES })],
    openDatabase: [
      async () => ({ key: here().world.masterKey, body: await rewound(here()) }),
      async () => ({
        key: here().world.masterKey,
        body: { reason: 'the database is open' },
        refused: 'INVALID_STATE',
      }),
    ],
    recordCapital: [async () => ({ key: here().world.masterKey, body: CAPITAL })],
  };
}
