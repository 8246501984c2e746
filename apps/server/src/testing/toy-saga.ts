//! A saga for tests only: three steps at a pretend provider, which counts its effects.
import { refuse } from '@holdfast/contract/errors';
import type { StepName } from '@holdfast/contract/step-words';
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { type Operation, type OperationKind, openOperation } from '../engine/operation.ts';
import { type Saga, type SagaRun, saga } from '../engine/saga.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/database/transact.ts';
import { done, type Outcome, refused, unknown } from '../providers/outcome.ts';
import type { World } from './world.ts';

/** The provider's replies to a step: unknown this often, then refused this often, then done. */
interface Script {
  readonly unknown?: number;
  readonly refused?: number;
  /** How long each reply takes. */
  readonly ms?: number;
  /** The effect happens although the reply is unknown. */
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

/** No reader sees the steps of a toy, so they have no phrases. */
const toyStep = (name: string): StepName => name as StepName;

/** The provider's own record, and the rows that the saga's transactions wrote. */
export async function createToyTables(world: World): Promise<void> {
  await world.rows(`create table toy_provider (purpose text primary key, calls int, effects int);
    create table toy_line (operation_id text, name text,
      position bigint generated always as identity);
    grant select, insert, update on toy_provider, toy_line to holdfast_worker`);
}

/** Delays the provider's reply to a step; receives how often the step was called. */
type Hold = (calls: number) => Promise<void>;

/** With `hold`, the reply to its first step waits for the test instead of a time. */
export function toySaga<A extends Transactor>(
  kind: OperationKind = TOY_KIND,
  hold?: Hold,
): Saga<A> {
  return saga(kind, async (run: SagaRun<A>, plan: ToyPlan) => {
    const one = await run.providerStep(
      toyStep('one'),
      { provider: 'payment_provider' },
      (purpose) => callProvider(run, purpose, plan.one, hold),
    );
    if (one.kind === 'refused') return run.undoOrEscalate(one, (tx) => undo(run, tx, one.code));
    await run.txStep(toyStep('between'), (tx) => writeLine(run, tx, 'between'));
    const two = await run.providerStep(
      toyStep('two'),
      { provider: 'payment_provider', movesMoney: true },
      (purpose) => callProvider(run, purpose, plan.two),
    );
    if (two.kind === 'refused') return run.undoOrEscalate(two, (tx) => undo(run, tx, two.code));
    const three = await run.providerStep(
      toyStep('three'),
      { provider: 'payment_provider' },
      (purpose) => callProvider(run, purpose, plan.three),
    );
    if (three.kind === 'refused')
      return run.undoOrEscalate(three, (tx) => undo(run, tx, three.code));
    return run.lastStep('settle', async (tx) => {
      await writeLine(run, tx, 'settle');
      return { note: plan.note, one: one.value, three: three.value };
    });
  });
}

type ToyTx = Parameters<Parameters<SagaRun['txStep']>[1]>[0];

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
    text: 'insert into toy_line (operation_id, name) values ($1, $2)',
    values: [operation.id, name],
  });
}

/** Makes the effect of a purpose once, however often it is called. */
async function callProvider(
  { app }: SagaRun,
  purpose: string,
  { unknown: unknowns = 0, refused: refusals = 0, ms = 0, lost = false }: Script = {},
  hold?: Hold,
): Promise<Outcome<{ purpose: string }>> {
  const { rows } = await app.pool.query<{ calls: number }>(
    `insert into toy_provider values ($1, 1, 0)
     on conflict (purpose) do update set calls = toy_provider.calls + 1 returning calls`,
    [purpose],
  );
  const calls = rows[0]?.calls ?? 0;
  const isKnown = calls > unknowns;
  const isRefused = isKnown && calls <= unknowns + refusals;
  if (!isRefused && (isKnown || lost)) {
    await app.pool.query(
      'update toy_provider set effects = effects + 1 where purpose = $1 and effects = 0',
      [purpose],
    );
  }
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  await hold?.(calls);
  if (!isKnown) return unknown('the reply was lost');
  return isRefused ? refused('no', 'the provider says no') : done({ purpose });
}

export interface ToyRequest {
  readonly kind?: OperationKind;
  readonly resourceId?: string;
  readonly plan?: ToyPlan;
}

/** The part of a request before the saga is executed. */
export async function openToy(
  app: Transactor,
  call: Call,
  { kind = TOY_KIND, resourceId = newId('ord', systemClock.now()), plan = {} }: ToyRequest = {},
): Promise<Operation> {
  return transact(app, call, (tx) =>
    openOperation(tx, { kind, resourceType: 'Order', resourceId, plan }),
  );
}

/** The trace of an operation: its lines, and the provider's calls and effects. */
export async function traceOf(world: World, { id }: Operation) {
  const lines = await world.rows<{ name: string }>(
    'select name from toy_line where operation_id = $1 order by position',
    [id],
  );
  const rows = await world.rows<{ step: string; calls: number; effects: number }>(
    `select split_part(purpose, ':', 2) as step, calls, effects from toy_provider
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
    calls: Object.fromEntries(rows.map(({ step, calls: times }) => [step, times])),
    effects: Object.fromEntries(rows.map(({ step, effects }) => [step, effects])),
  };
}
