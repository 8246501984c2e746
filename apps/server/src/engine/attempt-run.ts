//! One attempt at a saga: claims, runs and marks each step, and stops when it was overtaken.

import { type Call, type SystemActor, systemCall } from '../platform/call.ts';
import { sendingFault } from '../platform/database/lineage.ts';
import { type Transactor, type Tx, transact } from '../platform/database/transact.ts';
import { transactAt } from '../platform/database/transact-at.ts';
import { OPERATION_ESCALATED } from '../platform/process/alarms.ts';
import { observe } from '../platform/telemetry/metrics.ts';
import type { Done, Outcome, Refused } from '../providers/outcome.ts';
import { audit } from '../record/audit/audit-entry.ts';
import {
  type Attempt,
  checkFence,
  endOperation,
  escalateOperation,
  type Operation,
  type OperationRefusal,
  postponeOperation,
  recordMoneyMoved,
} from './operation.ts';
import {
  claimStep,
  endStep,
  insertDoneStep,
  type ProviderCall,
  reopenStep,
  type Step,
} from './operation-step.ts';
import type { AttemptResult, SagaRun } from './saga.ts';

/** Thrown to leave the saga: the attempt has a result. */
export class AttemptEnded extends Error {
  override readonly name = 'AttemptEnded';
  readonly result: AttemptResult;
  constructor(result: AttemptResult) {
    super(result.kind);
    this.result = result;
  }
}

const HEARTBEAT_MS = 3000;

export class AttemptRun<A extends Transactor> implements SagaRun<A> {
  readonly operation: Operation;
  readonly app: A;
  readonly call: Call<SystemActor>;
  readonly #attempt: Attempt;
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #waitMs: number;
  readonly #refusedSteps = new WeakMap<Refused, string>();
  #hasMovedMoney: boolean;
  #result: AttemptResult | undefined;

  constructor(app: A, operation: Operation, steps: ReadonlyMap<string, Step>, waitMs: number) {
    const { marketplace, correlationId, id, epoch, attempts } = operation;
    const attempt: Attempt = { operationId: id, epoch, attempt: attempts };
    this.operation = operation;
    this.app = { ...app, fence: (tx: Tx) => checkFence(tx, attempt) };
    this.call = { ...systemCall(marketplace), requestId: correlationId, causationId: id };
    this.#attempt = attempt;
    this.#steps = steps;
    this.#waitMs = waitMs;
    this.#hasMovedMoney = operation.hasMovedMoney;
  }

  /** Set once a transaction has ended the operation. */
  get result(): AttemptResult | undefined {
    return this.#result;
  }

  async providerStep<T>(
    name: string,
    providerCall: ProviderCall,
    work: (purpose: string) => Promise<Outcome<T>>,
  ): Promise<Done<T> | Refused> {
    const { movesMoney = false } = providerCall;
    const purpose = `${this.operation.kind}:${name}:${this.operation.id}`;
    const step = this.#steps.get(name);
    if (step !== undefined && step.status !== 'CLAIMED') return this.#stored<T>(name, step);
    // Also for a step already claimed: the fence keeps an overtaken attempt from calling a
    // provider.
    const fault = await this.#writeProgress(name, 'claim', async (tx) => {
      const isPayout = this.operation.resourceType === 'Withdrawal';
      const found =
        providerCall.provider === null ? undefined : await sendingFault(tx, { isPayout });
      if (found !== undefined) return found;
      if (step === undefined) await claimStep(tx, this.#attempt, name, purpose, providerCall);
      return undefined;
    });
    if (fault !== undefined) return this.#unknown(name, fault);
    const outcome = await this.#alive(() => work(purpose));
    if (outcome.kind === 'unknown') return this.#unknown(name, outcome.reason);
    if (step !== undefined && providerCall.provider !== null) this.#measureUnknown(step);
    await this.#writeProgress(name, 'mark', async (tx) => {
      if (outcome.kind === 'refused') {
        const { code, reason } = outcome;
        return endStep(tx, this.#attempt, name, 'REFUSED', { code, reason });
      }
      await endStep(tx, this.#attempt, name, 'DONE', { value: outcome.value });
      if (movesMoney) await recordMoneyMoved(tx, this.#attempt);
    });
    if (outcome.kind === 'refused') return this.#remember(name, outcome);
    this.#hasMovedMoney ||= movesMoney;
    return { kind: 'done', value: asStored(outcome.value) };
  }

  async txStep<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const step = this.#steps.get(name);
    if (step !== undefined) return step.result?.value as T;
    return this.#transact(name, 'tx', (tx) => this.#mark(tx, name, work));
  }

  async lastStep<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#transact(name, 'tx', async (tx) => {
      const given = await this.#mark(tx, name, work);
      await endOperation(tx, this.operation, { result: given });
      return given;
    });
    this.#result = { kind: 'done', result };
    return result;
  }

  async undoOrEscalate(
    outcome: Refused,
    undo: (tx: Tx) => Promise<OperationRefusal>,
  ): Promise<never> {
    if (this.#hasMovedMoney)
      return this.#escalateAndRetry(outcome, this.#refusedSteps.get(outcome));
    const refusal = await this.#transact('undo', 'tx', async (tx) => {
      const undone = await undo(tx);
      await endOperation(tx, this.operation, undone);
      return asStored(undone);
    });
    throw new AttemptEnded({ kind: 'refused', ...refusal });
  }

  /** Ends the operation of a saga that did not do so itself. */
  async end(result: unknown): Promise<AttemptResult> {
    await this.#writeProgress('end', 'tx', (tx) => endOperation(tx, this.operation, { result }));
    return { kind: 'done', result: asStored(result) };
  }

  /** Schedules the next attempt. The due time is in PostgreSQL, so any worker can run it. */
  async postpone(escalation?: string): Promise<AttemptResult> {
    await this.#writeProgress('again', 'tx', async (tx) => {
      await postponeOperation(tx, this.#attempt, tx.now + this.#waitMs);
      if (escalation !== undefined) await this.#escalation(tx, escalation);
    });
    return { kind: 'again', inMs: this.#waitMs };
  }

  async #escalateAndRetry({ code, reason }: Refused, step: string | undefined): Promise<never> {
    const { id, kind, resourceId } = this.operation;
    const why = `${step ?? 'a step'} was refused after money had moved: ${code}`;
    this.app.log.error(
      { operationId: id, kind, resourceId, step, code, reason },
      OPERATION_ESCALATED,
    );
    await this.#writeProgress('escalate', 'tx', async (tx) => {
      if (step !== undefined) await reopenStep(tx, this.#attempt, step);
      await postponeOperation(tx, this.#attempt, tx.now + this.#waitMs);
      await this.#escalation(tx, why);
    });
    throw new AttemptEnded({ kind: 'again', inMs: this.#waitMs });
  }

  async #escalation(tx: Tx, reason: string): Promise<void> {
    if (!(await escalateOperation(tx, this.#attempt))) return;
    const { id, resourceId, resourceType } = this.operation;
    const after = { operationId: id };
    const about = { action: 'OPERATION_ESCALATED', resourceType, resourceId } as const;
    await audit(tx, { ...about, after, reason, result: 'FAILURE' });
  }

  /** An earlier attempt left the outcome open. */
  #measureUnknown({ startedAt }: Step): void {
    const seconds = Math.max(0, this.app.clock.now() - startedAt) / 1000;
    observe('holdfast_operation_unknown_seconds', seconds, {});
  }

  async #unknown(step: string, reason: string): Promise<never> {
    const { id, kind, attempts } = this.operation;
    this.app.log.warn({ operationId: id, kind, step, attempts, reason }, 'step outcome unknown');
    throw new AttemptEnded(await this.postpone());
  }

  /**
   * The fence ran first, so no other attempt is here; the marker's key would reject a second one.
   */
  async #mark<T>(tx: Tx, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const value = await work(tx);
    await insertDoneStep(tx, this.#attempt, name, { value });
    return asStored(value);
  }

  #stored<T>(name: string, { status, result }: Step): Done<T> | Refused {
    if (status === 'DONE') return { kind: 'done', value: result?.value as T };
    const { code = '', reason = '' } = result ?? {};
    return this.#remember(name, { kind: 'refused', code, reason });
  }

  #remember(name: string, outcome: Refused): Refused {
    this.#refusedSteps.set(outcome, name);
    return outcome;
  }

  /** For the engine's own rows: only attempts write them, and the fence alone decides. */
  #writeProgress<T>(name: string, what: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact(name, what, work, 'read committed');
  }

  /** Every transaction of an attempt starts with its fence and has a failpoint on each side. */
  async #transact<T>(
    name: string,
    what: string,
    work: (tx: Tx) => Promise<T>,
    isolation?: 'read committed',
  ): Promise<T> {
    const point = `${this.operation.kind}:${name}`;
    return transactAt(this.app, this.call, { point, what, isolation }, work);
  }

  /** Sends heartbeats: a provider may take longer than the sweeper waits for one. */
  async #alive<T>(work: () => Promise<T>): Promise<T> {
    const beat = () => {
      transact(this.app, this.call, async () => undefined, 'read committed').catch((error: Error) =>
        this.app.log.debug({ err: error }, 'heartbeat not recorded'),
      );
    };
    const timer = setInterval(beat, HEARTBEAT_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}

/** The value as a second run would read it. */
function asStored<T>(value: T): T {
  return (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as T;
}
