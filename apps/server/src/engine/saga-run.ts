//! One drive through a saga: claims each step, runs it, marks it; stops where another took over.
import { audit } from '../audit/audit-entry.ts';
import { type Call, type SystemActor, systemCall } from '../platform/call.ts';
import { failpoint } from '../platform/failpoint.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import type { Done, Outcome, Refused } from '../providers/outcome.ts';
import {
  type Drive,
  endOperation,
  holdDrive,
  noteMoneyMoved,
  type Operation,
  type OperationRefusal,
  postponeOperation,
  raiseOperation,
} from './operation.ts';
import { claimStep, endStep, insertDoneStep, reopenStep, type Step } from './operation-step.ts';
import type { DriveAnswer, SagaRun } from './saga.ts';

/** Leaves the saga: the drive has come to an answer. */
export class DriveOver extends Error {
  override readonly name = 'DriveOver';
  readonly answer: DriveAnswer;
  constructor(answer: DriveAnswer) {
    super(answer.kind);
    this.answer = answer;
  }
}

const HEARTBEAT_MS = 3000;

export class DriveRun<A extends Transactor> implements SagaRun<A> {
  readonly operation: Operation;
  readonly app: A;
  readonly call: Call<SystemActor>;
  readonly #drive: Drive;
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #waitMs: number;
  readonly #refusedSteps = new WeakMap<Refused, string>();
  #hasMovedMoney: boolean;
  #answer: DriveAnswer | undefined;

  constructor(app: A, operation: Operation, steps: ReadonlyMap<string, Step>, waitMs: number) {
    const { marketplace, correlationId, id, epoch, attempts } = operation;
    const drive: Drive = { operationId: id, epoch, attempt: attempts };
    this.operation = operation;
    this.app = { ...app, fence: (tx: Tx) => holdDrive(tx, drive) };
    this.call = { ...systemCall(marketplace), requestId: correlationId };
    this.#drive = drive;
    this.#steps = steps;
    this.#waitMs = waitMs;
    this.#hasMovedMoney = operation.hasMovedMoney;
  }

  /** Set once a transaction has ended the operation. */
  get answer(): DriveAnswer | undefined {
    return this.#answer;
  }

  async provider<T>(
    name: string,
    { movesMoney = false }: { readonly movesMoney?: boolean },
    work: (purpose: string) => Promise<Outcome<T>>,
  ): Promise<Done<T> | Refused> {
    const purpose = `${this.operation.kind}:${name}:${this.operation.id}`;
    const step = this.#steps.get(name);
    if (step !== undefined && step.status !== 'CLAIMED') return this.#kept<T>(name, step);
    // Also where it is claimed already: nobody who was overtaken asks a provider for anything.
    await this.#note(name, 'claim', async (tx) => {
      if (step === undefined) await claimStep(tx, this.#drive, name, purpose);
    });
    const outcome = await this.#alive(() => work(purpose));
    if (outcome.kind === 'unknown') return this.#unknown(name, outcome.reason);
    await this.#note(name, 'mark', async (tx) => {
      if (outcome.kind === 'refused') {
        const { code, reason } = outcome;
        return endStep(tx, this.#drive, name, 'REFUSED', { code, reason });
      }
      await endStep(tx, this.#drive, name, 'DONE', { value: outcome.value });
      if (movesMoney) await noteMoneyMoved(tx, this.#drive);
    });
    if (outcome.kind === 'refused') return this.#remember(name, outcome);
    this.#hasMovedMoney ||= movesMoney;
    return { kind: 'done', value: asKept(outcome.value) };
  }

  async tx<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const step = this.#steps.get(name);
    if (step !== undefined) return step.result?.value as T;
    return this.#transact(name, 'tx', (tx) => this.#mark(tx, name, work));
  }

  async last<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.#transact(name, 'tx', async (tx) => {
      const given = await this.#mark(tx, name, work);
      await endOperation(tx, this.operation, { result: given });
      return given;
    });
    this.#answer = { kind: 'done', result };
    return result;
  }

  async refused(outcome: Refused, undo: (tx: Tx) => Promise<OperationRefusal>): Promise<never> {
    if (this.#hasMovedMoney) return this.#goForward(outcome, this.#refusedSteps.get(outcome));
    const refusal = await this.#transact('undo', 'tx', async (tx) => {
      const said = await undo(tx);
      await endOperation(tx, this.operation, said);
      return asKept(said);
    });
    throw new DriveOver({ kind: 'refused', ...refusal });
  }

  /** A saga that did not end its operation itself. */
  async end(result: unknown): Promise<DriveAnswer> {
    await this.#note('end', 'tx', (tx) => endOperation(tx, this.operation, { result }));
    return { kind: 'done', result: asKept(result) };
  }

  /** Looked for again after a while; PostgreSQL knows when, whoever is asked to look. */
  async postpone(raise?: string): Promise<DriveAnswer> {
    await this.#note('again', 'tx', async (tx) => {
      await postponeOperation(tx, this.#drive, tx.now + this.#waitMs);
      if (raise !== undefined) await this.#raise(tx, raise);
    });
    return { kind: 'again', inMs: this.#waitMs };
  }

  async #goForward({ code, reason }: Refused, step: string | undefined): Promise<never> {
    const { id, kind, resourceId } = this.operation;
    const why = `${step ?? 'a step'} was refused after money had moved: ${code}`;
    this.app.log.error(
      { operationId: id, kind, resourceId, step, code, reason },
      'raise operation',
    );
    await this.#note('raise', 'tx', async (tx) => {
      if (step !== undefined) await reopenStep(tx, this.#drive, step);
      await postponeOperation(tx, this.#drive, tx.now + this.#waitMs);
      await this.#raise(tx, why);
    });
    throw new DriveOver({ kind: 'again', inMs: this.#waitMs });
  }

  async #raise(tx: Tx, reason: string): Promise<void> {
    if (!(await raiseOperation(tx, this.#drive))) return;
    const { id, resourceId, resourceType } = this.operation;
    const after = { operationId: id };
    const about = { action: 'OPERATION_RAISED', resourceType, resourceId } as const;
    await audit(tx, { ...about, after, reason, result: 'FAILURE' });
  }

  async #unknown(step: string, reason: string): Promise<never> {
    const { id, kind, attempts } = this.operation;
    this.app.log.warn({ operationId: id, kind, step, attempts, reason }, 'await outcome');
    throw new DriveOver(await this.postpone());
  }

  /** The fence came first, so nobody else is at it; the marker's key would refuse a second one. */
  async #mark<T>(tx: Tx, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const value = await work(tx);
    await insertDoneStep(tx, this.#drive, name, { value });
    return asKept(value);
  }

  #kept<T>(name: string, { status, result }: Step): Done<T> | Refused {
    if (status === 'DONE') return { kind: 'done', value: result?.value as T };
    const { code = '', reason = '' } = result ?? {};
    return this.#remember(name, { kind: 'refused', code, reason });
  }

  #remember(name: string, outcome: Refused): Refused {
    this.#refusedSteps.set(outcome, name);
    return outcome;
  }

  /** The engine's own rows: nobody else writes them, and the fence is all that decides. */
  #note<T>(name: string, what: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact(name, what, work, 'read committed');
  }

  /** Every transaction of a drive begins with its fence, and has a failpoint on each side. */
  async #transact<T>(
    name: string,
    what: string,
    work: (tx: Tx) => Promise<T>,
    isolation?: 'read committed',
  ): Promise<T> {
    const point = `${this.operation.kind}:${name}`;
    failpoint(`${point}:before-${what}`);
    const inTx = async (tx: Tx) => {
      const given = await work(tx);
      failpoint(`${point}:in-${what}`);
      return given;
    };
    const result = await transact(this.app, this.call, inTx, isolation);
    failpoint(`${point}:after-${what}`);
    return result;
  }

  /** A provider may take longer than the sweeper waits for a sign of life. */
  async #alive<T>(work: () => Promise<T>): Promise<T> {
    const beat = () => {
      transact(this.app, this.call, async () => undefined, 'read committed').catch((error: Error) =>
        this.app.log.debug({ reason: error.message }, 'miss heartbeat'),
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

/** What a second run would get. */
function asKept<T>(value: T): T {
  return (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as T;
}
