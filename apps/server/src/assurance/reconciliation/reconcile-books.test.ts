//! Tests that an interrupted run continues after its last page, on any worker.
import { expect, it } from 'vitest';
import { executeOnce } from '../../engine/attempt.ts';
import { findOperation } from '../../engine/operation.ts';
import { sagasOf } from '../../engine/saga.ts';
import { systemCall } from '../../platform/call.ts';
import { read } from '../../platform/database/transact.ts';
import { unknown } from '../../providers/outcome.ts';
import { useTraffic } from '../../testing/reconciliation.ts';
import { createReconciliationRun } from './create-reconciliation-run.ts';
import { getReconciliationRun } from './read-reconciliation.ts';
import { reconcileBooksSaga } from './reconcile-books.ts';

const { world, market } = useTraffic();

it('fetches no page twice, and ends with the same figures', async () => {
  const { payments, network } = world.custody;
  if (payments === undefined) throw new Error('the sandbox has a payment provider');
  let lists = 0;
  let isDeaf = true;
  const worker = {
    ...world.custody,
    payments: {
      hasBankPayouts: payments.hasBankPayouts,
      findAccount: payments.findAccount.bind(payments),
      createPayin: payments.createPayin.bind(payments),
      findPayin: payments.findPayin.bind(payments),
      cancelPayin: payments.cancelPayin.bind(payments),
      createPayout: payments.createPayout.bind(payments),
      commitPayout: payments.commitPayout.bind(payments),
      findPayout: payments.findPayout.bind(payments),
      cancelPayout: payments.cancelPayout.bind(payments),
      balance: payments.balance.bind(payments),
      listPayouts: payments.listPayouts.bind(payments),
      listPayins: (page: Parameters<typeof payments.listPayins>[0]) => {
        lists += 1;
        return payments.listPayins(page);
      },
    },
    network: {
      ...network,
      account: (address: string) =>
        isDeaf ? Promise.resolve(unknown('no reply')) : network.account(address),
    },
  };
  const idle = { ...world.app, engine: { ...world.app.engine, submit: async () => undefined } };
  const { id, operationId } = await createReconciliationRun(idle, market.call, {});
  const execute = async () => {
    const operation = await read(world.app, market.call, (tx) => findOperation(tx, operationId));
    if (operation === undefined) throw new Error('it is open');
    const { marketplace, epoch } = operation;
    const sagas = sagasOf([reconcileBooksSaga]);
    return executeOnce(worker, sagas, systemCall(marketplace), { operationId, epoch });
  };
  expect(await execute()).toMatchObject({ kind: 'again' });
  expect((await getReconciliationRun(world.app, market.call, id)).status).toBe('RUNNING');
  isDeaf = false;
  expect(await execute()).toMatchObject({ kind: 'done' });
  expect(lists).toBe(1);
  const run = await getReconciliationRun(world.app, market.call, id);
  expect(run.figures).toMatchObject({ opened: 0, seenAgain: 0, cleared: 0 });
  expect(run.figures?.totals['payment_provider USD']?.matched.count).toBe(3);
  expect(await world.rows('select from reconciliation_match')).toEqual([]);
});
