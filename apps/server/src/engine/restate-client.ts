//! The engine over Restate's ingress: calls that wait, calls that do not, and a health check.

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
import { read, type Transactor } from '../platform/database/transact.ts';
import { ENGINE_DOWN, ENGINE_UP } from '../platform/process/alarms.ts';
import { setGauge } from '../platform/telemetry/metrics.ts';
import { type Engine, type EngineMessage, settledOutcome, unwrapResult } from './engine.ts';
import { findOperation, isOpen, type Operation } from './operation.ts';
import {
  type ExecutionRequest,
  HANDLER,
  MARK_HANDLER,
  MARK_KEY,
  markName,
  objectName,
} from './restate-service.ts';
import type { AttemptResult } from './saga.ts';

export interface RestateSettings {
  readonly ingressUrl: string;
  readonly cell: string;
  /** How long a request waits for its operation. */
  readonly deadlineMs: number;
}

const RETRY_AFTER_SECONDS = 2;
const CHECK_TIMEOUT_MS = 1000;
/** A health check that overran its timeout by this much was delayed by our own process. */
const STALL_MS = 250;
const CHECK_INTERVAL_MS = 1000;
/** Long enough for simultaneous requests to share a health check, short enough to trust it. */
const CACHE_MS = 100;
const SUBMIT_TIMEOUT_MS = 5000;
const RETRY_DELAY_MS = 250;
const MARK_TIMEOUT_MS = 3000;

export class RestateEngine implements Engine {
  readonly #app: Transactor;
  readonly #settings: RestateSettings;
  readonly #service: string;
  readonly #ingress: Ingress;
  readonly #timer: NodeJS.Timeout;
  #lastCheck: { readonly at: number; readonly isUp: Promise<boolean> } | undefined;
  #wasUp: boolean | undefined;

  constructor(app: Transactor, settings: RestateSettings) {
    this.#app = app;
    this.#settings = settings;
    this.#service = objectName(settings.cell);
    this.#ingress = connect({ url: settings.ingressUrl, retry: false });
    this.#timer = setInterval(() => void this.isUp(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  async checkUp(): Promise<void> {
    if (!(await this.isUp())) refuse('ENGINE_UNAVAILABLE', { retryAfter: RETRY_AFTER_SECONDS });
  }

  async execute<T>(operation: Operation): Promise<T> {
    const deadline = performance.now() + this.#settings.deadlineMs;
    for (let current = operation; ; ) {
      const leftMs = Math.floor(deadline - performance.now());
      if (leftMs <= 0) return refuse('PROVIDER_TIMEOUT', { operationId: operation.id });
      const response = await this.#call(current, leftMs);
      if (response !== undefined && response.kind !== 'overtaken')
        return unwrapResult<T>(operation.id, response);
      // The engine was lost during the call, or another attempt took over. The row has the current
      // state, and its epoch identifies the attempt that runs now.
      await sleep(RETRY_DELAY_MS);
      current = await this.#fetch(current);
      if (!isOpen(current)) return settledOutcome<T>(current);
    }
  }

  async submit(operation: Operation): Promise<void> {
    await this.send({ ...this.#target(operation), idempotencyKey: idempotencyKey(operation) });
  }

  async send({ idempotencyKey, ...target }: EngineMessage): Promise<void> {
    await this.#ingress.send({
      ...target,
      handler: HANDLER,
      opts: SendOpts.from({ input: json<unknown>(), idempotencyKey, timeout: SUBMIT_TIMEOUT_MS }),
    });
  }

  async advanceMark(to: bigint | null): Promise<bigint | null> {
    const mark = await this.#ingress.call<string | null, string | null>({
      service: markName(this.#settings.cell),
      handler: MARK_HANDLER,
      key: MARK_KEY,
      parameter: to === null ? null : String(to),
      opts: Opts.from<string | null, string | null>({
        input: json<string | null>(),
        output: json<string | null>(),
        timeout: MARK_TIMEOUT_MS,
      }),
    });
    return mark === null ? null : BigInt(mark);
  }

  isUp(): Promise<boolean> {
    const now = performance.now();
    if (this.#lastCheck === undefined || now - this.#lastCheck.at > CACHE_MS)
      this.#lastCheck = { at: now, isUp: this.#checkHealth() };
    return this.#lastCheck.isUp;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Undefined when no response came. The same key finds the same attempt again while it runs. */
  async #call(operation: Operation, timeout: number): Promise<AttemptResult | undefined> {
    try {
      return await this.#ingress.call<ExecutionRequest, AttemptResult>({
        ...this.#target(operation),
        opts: Opts.from<ExecutionRequest, AttemptResult>({
          input: json<ExecutionRequest>(),
          output: json<AttemptResult>(),
          idempotencyKey: idempotencyKey(operation),
          timeout,
        }),
      });
    } catch (error) {
      this.#app.log.warn({ operationId: operation.id, err: error }, 'engine reply lost');
      return undefined;
    }
  }

  #target({ marketplace, id, epoch, resourceId }: Operation) {
    const parameter: ExecutionRequest = { marketplace, operationId: id, epoch };
    return { service: this.#service, handler: HANDLER, key: resourceId, parameter };
  }

  async #fetch(operation: Operation): Promise<Operation> {
    const call = systemCall(operation.marketplace);
    const found = await read(this.#app, call, (tx) => findOperation(tx, operation.id)).catch(
      () => undefined,
    );
    return found ?? operation;
  }

  /** Up when Restate responds and knows the service, which a worker has registered. */
  async #checkHealth(): Promise<boolean> {
    const startedAt = performance.now();
    let isUp = await this.#responds();
    // A pause of this process is no evidence about the engine.
    const hasStalled = performance.now() - startedAt > CHECK_TIMEOUT_MS + STALL_MS;
    if (!isUp && hasStalled) isUp = await this.#responds();
    if (this.#wasUp === true && !isUp) this.#app.log.warn({}, ENGINE_DOWN);
    if (this.#wasUp === false && isUp) this.#app.log.info({}, ENGINE_UP);
    this.#wasUp = isUp;
    setGauge('holdfast_engine_up', isUp ? 1 : 0, {});
    return isUp;
  }

  async #responds(): Promise<boolean> {
    try {
      const response = await fetch(`${this.#settings.ingressUrl}/restate/health`, {
        signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
      });
      const { services } = (await response.json()) as { services?: string[] };
      return response.ok && services?.includes(this.#service) === true;
    } catch {
      return false;
    }
  }
}

const json = <T>() => serde.json as Serde<T>;

/**
 * All attempts under one epoch share one invocation, however many callers request it. After the
 * database was set back Restate remembers epochs that are still to come here: their results would
 * be those of another history.
 */
function idempotencyKey({ lineage, id, epoch }: Operation): string {
  return `${lineage}:${id}:${epoch}`;
}
