import { expect, it } from 'vitest';
import { useToyWorld } from '../testing/engine.ts';
import { desk } from '../testing/operators.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openToy, type ToyPlan } from '../testing/toy-saga.ts';
import { getOperation, listOperations } from './read-operations.ts';

const { world, market, engine } = useToyWorld();

const open = (plan: ToyPlan, { call } = market) => openToy(world.app, call, { plan });

it('shows the progress of an operation, step by step', async () => {
  const { id, resourceId } = await open({ two: { unknown: 99 } });
  await engine.runWorker();
  const response = await market.send('GET', `/operations/${id}`);
  expect(response.status).toBe(200);
  expect(response.json.data.data).toMatchObject({
    id,
    kind: 'toy-run',
    resourceType: 'Order',
    resourceId,
    status: 'RUNNING',
    refusalCode: null,
    escalatedAt: null,
    steps: [
      { name: 'one', status: 'DONE', hash: null, at: expect.stringMatching(/Z$/) },
      { name: 'between', status: 'DONE' },
      { name: 'two', status: 'CLAIMED' },
    ],
  });
});

it('shows why it was refused', async () => {
  const operation = await open({ one: { refused: 9 } });
  await expect(engine.execute(operation)).rejects.toSatisfy(isRefusal('INTERNAL_ERROR'));
  const response = await market.send('GET', `/operations/${operation.id}`);
  expect(response.json.data.data).toMatchObject({
    status: 'REFUSED',
    refusalCode: 'INTERNAL_ERROR',
    steps: [{ name: 'one', status: 'REFUSED' }],
  });
});

it('masks addresses in the provider’s words for an operator, and not for a key', async () => {
  const operation = await open({ one: { refused: 9 } });
  await engine.execute(operation).catch(() => undefined);
  await world.rows(
    `update operation_step set result = jsonb_build_object('kind', 'refused',
      'reason', 'no account of ada@example.com') where operation_id = $1 and name = 'one'`,
    [operation.id],
  );
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  for (const path of [`/operations/${operation.id}`, '/operations']) {
    expect((await market.send('GET', path)).text).toContain('no account of ada@example.com');
    const { text } = await support.send('GET', path);
    expect(text).toContain('no account of a•••@e•••.com');
    expect(text).not.toContain('ada@');
  }
});

it('shows the hash of the newest envelope of a step', async () => {
  const { id } = await open({ two: { unknown: 99 } });
  await engine.runWorker();
  await world.rows(
    `insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
      state, created_at)
    select marketplace_id, purpose, attempt, operation_id || attempt, '', '', attempt, 1,
      case attempt when 1 then 'EXPIRED' else 'OPEN' end, started_at
    from operation_step, generate_series(1, 2) as attempt where operation_id = $1 and name = 'two'`,
    [id],
  );
  const { steps } = await getOperation(world.app, market.call, id);
  expect(steps.map(({ hash }) => hash)).toEqual([null, null, `${id}2`]);
});

it('lists operations newest first, by attention, state, kind and resource', async () => {
  const own = await world.market();
  const unknown = await open({ two: { unknown: 99 } }, own);
  await engine.runWorker();
  const ended = await open({}, own);
  await engine.runWorker();
  const fresh = await open({}, own);
  for (const [query, found] of [
    [{}, [fresh, ended, unknown]],
    [{ attention: 'true' }, [unknown]],
    [{ status: 'DONE' }, [ended]],
    [{ status: 'RUNNING' }, [fresh, unknown]],
    [{ resourceId: ended.resourceId }, [ended]],
    [{ kind: 'toy-run', status: 'DONE' }, [ended]],
    [{ kind: 'no-such' }, []],
  ] as const) {
    const { items } = await listOperations(world.app, own.call, query);
    expect(
      items.map(({ id }) => id),
      JSON.stringify(query),
    ).toEqual(found.map(({ id }) => id));
  }
  const { items } = await listOperations(world.app, own.call, {});
  expect(items.map(({ isUnknown }) => isUnknown)).toEqual([false, false, true]);
});
