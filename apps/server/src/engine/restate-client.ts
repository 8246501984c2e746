//! The engine over Restate's ingress: calls that wait, calls that do not, a watch on its health.
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@holdfast/contract/errors';
import {
  connect,
  type Ingress,
  Opts,
  SendOpts,
  type Serde,
  serde,
} from '@restatedev/restate-sdk-clients';
import { systemCall } from '../platform/call.ts';
import { read, type Transactor } from '../platform/transact.ts';
import { answerOf, type Engine, type EngineMessage, settledOutcome } from './engine.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import { DRIVE, type DriveRequest, objectName } from './restate-service.ts';
import type { DriveAnswer } from './saga.ts';

export interface RestateSettings {
  readonly ingressUrl: string;
  readonly cell: string;
  /** How long a request waits for its operation. */
  readonly deadlineMs: number;
}

const RETRY_AFTER_SECONDS = 2;
const LOOK_MS_MAX = 1000;
/** A look that took longer than it may was ended late: we ourselves did not run. */
const LATE_MS = 250;
const LOOK_EVERY_MS = 1000;
/** Long enough for requests that come together to share a look, short enough to trust it. */
const BELIEVED_MS = 100;
const SUBMIT_MS_MAX = 5000;
const ASK_AGAIN_MS = 250;

export class RestateEngine implements Engine {
  readonly #app: Transactor;
  readonly #settings: RestateSettings;
  readonly #service: string;
  readonly #ingress: Ingress;
  readonly #timer: NodeJS.Timeout;
  #look: { readonly at: number; readonly isUp: Promise<boolean> } | undefined;
  #wasUp: boolean | undefined;

  constructor(app: Transactor, settings: RestateSettings) {
    this.#app = app;
    this.#settings = settings;
    this.#service = objectName(settings.cell);
    this.#ingress = connect({ url: settings.ingressUrl, retry: false });
    this.#timer = setInterval(() => void this.isUp(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async checkUp(): Promise<void> {
    if (!(await this.isUp())) refuse('ENGINE_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });
  }

  async drive<T>(operation: Operation): Promise<T> {
    const deadline = performance.now() + this.#settings.deadlineMs;
    for (let current = operation; ; ) {
      const leftMs = Math.floor(deadline - performance.now());
      if (leftMs <= 0) return refuse('PROVIDER_TIMEOUT', { operationId: operation.id });
      const answer = await this.#call(current, leftMs);
      if (answer !== undefined && answer.kind !== 'overtaken')
        return answerOf<T>(operation.id, answer);
      // The engine was lost on the way, or another drive took over. The row knows how far it is,
      // and its epoch leads to whoever drives it now.
      await sleep(ASK_AGAIN_MS);
      current = await this.#lookAt(current);
      if (!isOpen(current)) return settledOutcome<T>(current);
    }
  }

  async submit(operation: Operation): Promise<void> {
    await this.send({ ...this.#target(operation), idempotencyKey: idempotencyKey(operation) });
  }

  async send({ idempotencyKey, ...target }: EngineMessage): Promise<void> {
    await this.#ingress.send({
      ...target,
      handler: DRIVE,
      opts: SendOpts.from({ input: json<unknown>(), idempotencyKey, timeout: SUBMIT_MS_MAX }),
    });
  }

  isUp(): Promise<boolean> {
    const now = performance.now();
    if (this.#look === undefined || now - this.#look.at > BELIEVED_MS)
      this.#look = { at: now, isUp: this.#lookNow() };
    return this.#look.isUp;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Undefined when no answer came. The same key finds the same drive again, if it still runs. */
  async #call(operation: Operation, timeout: number): Promise<DriveAnswer | undefined> {
    try {
      return await this.#ingress.call<DriveRequest, DriveAnswer>({
        ...this.#target(operation),
        opts: Opts.from<DriveRequest, DriveAnswer>({
          input: json<DriveRequest>(),
          output: json<DriveAnswer>(),
          idempotencyKey: idempotencyKey(operation),
          timeout,
        }),
      });
    } catch (error) {
      const { message: reason } = error as Error;
      this.#app.log.warn({ operationId: operation.id, reason }, 'lose engine');
      return undefined;
    }
  }

  #target({ marketplace, id, epoch, resourceId }: Operation) {
    const parameter: DriveRequest = { marketplace, operationId: id, epoch };
    return { service: this.#service, handler: DRIVE, key: resourceId, parameter };
  }

  async #lookAt(operation: Operation): Promise<Operation> {
    const call = systemCall(operation.marketplace);
    const found = await read(this.#app, call, (tx) => findOperation(tx, operation.id)).catch(
      () => undefined,
    );
    return found ?? operation;
  }

  /** Up when it answers and knows the service: some worker has told it where to find one. */
  async #lookNow(): Promise<boolean> {
    const begunAt = performance.now();
    let isUp = await this.#answers();
    // Time that passed while this process stood still says nothing about the engine.
    const hasStoodStill = performance.now() - begunAt > LOOK_MS_MAX + LATE_MS;
    if (!isUp && hasStoodStill) isUp = await this.#answers();
    if (this.#wasUp === true && !isUp) this.#app.log.warn({}, 'miss engine');
    if (this.#wasUp === false && isUp) this.#app.log.info({}, 'find engine');
    this.#wasUp = isUp;
    return isUp;
  }

  async #answers(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.#settings.ingressUrl}/restate/health`, {
        signal: AbortSignal.timeout(LOOK_MS_MAX),
      });
      const { services } = (await answer.json()) as { services?: string[] };
      return answer.ok && services?.includes(this.#service) === true;
    } catch {
      return false;
    }
  }
}

const json = <T>() => serde.json as Serde<T>;

/** A drive of an operation under one epoch is one invocation, however often it is asked for. */
function idempotencyKey({ id, epoch }: Operation): string {
  return `${id}:${epoch}`;
}
