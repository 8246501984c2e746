//! A saga that only tests know: three steps at a pretend provider, which counts what it does.
import { refuse } from '@holdfast/contract/errors';
import { newId } from '@holdfast/kernel/ids';
import { type Operation, type OperationKind, openOperation } from '../engine/operation.ts';
import { type Saga, type SagaRun, saga } from '../engine/saga.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { done, type Outcome, refused, unknown } from '../providers/outcome.ts';
import type { World } from './world.ts';

/** How the provider answers a step: so often unknown, then so often refused, then done. */
interface Script {
  readonly unknown?: number;
  readonly refused?: number;
  /** How long each answer takes. */
  readonly ms?: number;
  /** The effect takes place although the answer is unknown. */
  readonly lost?: boolean;
}

export interface ToyPlan {
  readonly one?: Script;
  /** Moves money. */
  readonly two?: Script;
  readonly three?: Script;
  readonly note?: string;
}

const TOY_KIND = 'toy-run';

/** The provider's own record, and what the saga's transactions wrote. */
export async function makeToyTables(world: World): Promise<void> {
  await world.rows(`create table toy_provider (purpose text primary key, asked int, effects int);
    create table toy_line (operation_id text, name text);
    grant select, insert, update on toy_provider, toy_line to holdfast_app`);
}

/** Lets the provider answer a step that it was asked so many times. */
type Hold = (asked: number) => Promise<void>;

/** With `hold`, the answer to its first step waits for the test, not for a time. */
export function toySaga<A extends Transactor>(
  kind: OperationKind = TOY_KIND,
  hold?: Hold,
): Saga<A> {
  return saga(kind, async (run: SagaRun<A>, plan: ToyPlan) => {
    const one = await run.provider('one', {}, (purpose) => ask(run, purpose, plan.one, hold));
    if (one.kind === 'refused') return run.refused(one, (tx) => undo(run, tx, one.code));
    await run.tx('between', (tx) => writeLine(run, tx, 'between'));
    const two = await run.provider('two', { movesMoney: true }, (purpose) =>
      ask(run, purpose, plan.two),
    );
    if (two.kind === 'refused') return run.refused(two, (tx) => undo(run, tx, two.code));
    const three = await run.provider('three', {}, (purpose) => ask(run, purpose, plan.three));
    if (three.kind === 'refused') return run.refused(three, (tx) => undo(run, tx, three.code));
    return run.last('settle', async (tx) => {
      await writeLine(run, tx, 'settle');
      return { note: plan.note, one: one.value, three: three.value };
    });
  });
}

type ToyTx = Parameters<Parameters<SagaRun['tx']>[1]>[0];

async function undo(run: SagaRun, tx: ToyTx, code: string) {
  await writeLine(run, tx, 'undo');
  return {
    code: 'INTERNAL_ERROR' as const,
    details: { reason: code, operationId: run.operation.id },
  };
}

async function writeLine({ operation }: SagaRun, tx: ToyTx, name: string): Promise<void> {
  await tx.query({
    name: 'toy-line',
    text: 'insert into toy_line values ($1, $2)',
    values: [operation.id, name],
  });
}

/** Does a purpose once, however often it is asked. */
async function ask(
  { app }: SagaRun,
  purpose: string,
  { unknown: unknowns = 0, refused: refusals = 0, ms = 0, lost = false }: Script = {},
  hold?: Hold,
): Promise<Outcome<{ purpose: string }>> {
  const { rows } = await app.pool.query<{ asked: number }>(
    `insert into toy_provider values ($1, 1, 0)
     on conflict (purpose) do update set asked = toy_provider.asked + 1 returning asked`,
    [purpose],
  );
  const asked = rows[0]?.asked ?? 0;
  const isKnown = asked > unknowns;
  const isRefused = isKnown && asked <= unknowns + refusals;
  if (!isRefused && (isKnown || lost)) {
    await app.pool.query(
      'update toy_provider set effects = effects + 1 where purpose = $1 and effects = 0',
      [purpose],
    );
  }
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  await hold?.(asked);
  if (!isKnown) return unknown('the reply was lost');
  return isRefused ? refused('no', 'the provider says no') : done({ purpose });
}

export interface ToyRequest {
  readonly kind?: OperationKind;
  readonly resourceId?: string;
  readonly plan?: ToyPlan;
}

/** What a request does before it is driven. */
export async function openToy(
  app: Transactor,
  call: Call,
  { kind = TOY_KIND, resourceId = newId('ord'), plan = {} }: ToyRequest = {},
): Promise<Operation> {
  return transact(app, call, (tx) =>
    openOperation(tx, { kind, resourceType: 'Order', resourceId, plan }),
  );
}

/** What became of an operation: its lines, and what the provider was asked and did. */
export async function traceOf(world: World, { id }: Operation) {
  const lines = await world.rows<{ name: string }>(
    'select name from toy_line where operation_id = $1 order by ctid',
    [id],
  );
  const asked = await world.rows<{ step: string; asked: number; effects: number }>(
    `select split_part(purpose, ':', 2) as step, asked, effects from toy_provider
     where purpose like '%' || $1 order by 1`,
    [id],
  );
  const [row] = await world.rows<{ status: string; epoch: number; attempts: number }>(
    'select status, epoch, attempts from operation where id = $1',
    [id],
  );
  if (row === undefined) return refuse('OPERATION_NOT_FOUND', { operationId: id });
  return {
    ...row,
    lines: lines.map(({ name }) => name),
    asked: Object.fromEntries(asked.map(({ step, asked: times }) => [step, times])),
    effects: Object.fromEntries(asked.map(({ step, effects }) => [step, effects])),
  };
}
