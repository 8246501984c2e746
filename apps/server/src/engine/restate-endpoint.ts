//! The worker's side of Restate: an object per resource; its handler executes one attempt.
//!
//! A whole attempt is one journaled step. No step of a saga has a name in Restate's journal. A new
//! build can therefore continue the work of an old one, and a Restate that lost its data loses no
//! work.
//!
//! Restate knows one address for all workers. On one machine they share a port (SO_REUSEPORT); on
//! several, a balancer stands in front of them, and HOLDFAST_ENGINE_WORKER_URL names it.
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import {
  createEndpointHandler,
  handlers,
  type LogMetadata,
  type ObjectContext,
  object,
  type Serde,
  serde,
} from '@restatedev/restate-sdk';
import { systemCall } from '../platform/call.ts';
import type { Config } from '../platform/config/config.ts';
import { isRecovering } from '../platform/database/database.ts';
import type { Transactor } from '../platform/database/transact.ts';
import type { Log } from '../platform/process/log.ts';
import { executeOnce } from './attempt.ts';
import { markObject } from './restate-mark.ts';
import { maintainRegistration } from './restate-registration.ts';
import { type ExecutionRequest, HANDLER, objectName } from './restate-service.ts';
import type { Sagas } from './saga.ts';

export interface EndpointSettings {
  /** Its mark is an object of its own. */
  readonly cell: string;
  readonly adminUrl: string;
  readonly host: string;
  /** 0 takes any free port, for a single worker. */
  readonly port: number;
  /** The address where Restate finds the workers, when it is not that port of this machine. */
  readonly workerUrl: string | undefined;
  /** Identity keys of the Restate that may call; without any, every caller is accepted. */
  readonly identityKeys: readonly string[];
}

/** Undefined when no Restate is configured. */
export function endpointSettings(config: Config): EndpointSettings | undefined {
  const { HOLDFAST_ENGINE_ADMIN_URL: adminUrl } = config;
  if (adminUrl === undefined) return undefined;
  return {
    cell: config.HOLDFAST_CELL,
    adminUrl,
    host: config.HOLDFAST_HOST,
    port: config.HOLDFAST_ENGINE_PORT,
    workerUrl: config.HOLDFAST_ENGINE_WORKER_URL,
    identityKeys: config.HOLDFAST_ENGINE_IDENTITY_KEYS?.split(',') ?? [],
  };
}

export interface RunningEndpoint {
  readonly url: string;
  /** Resolves once the worker is registered with Restate. */
  readonly registered: Promise<void>;
  /** Stops accepting work and resolves when running work has ended. */
  stop(): Promise<void>;
}

/** The result of an attempt; `again` makes Restate repeat the call after a delay. */
type HandlerResult = { readonly kind: 'again'; readonly inMs: number } | { readonly kind: string };

/** An object per key, which runs one attempt at a time. Its state is in PostgreSQL. */
export interface VirtualObject {
  readonly name: string;
  readonly execute: (request: never) => Promise<HandlerResult>;
  /** How long Restate remembers a message's idempotency key. */
  readonly retentionSeconds: number;
  /** Makes long attempts end early. */
  readonly stop?: () => void;
}

/** The object that executes operations, one at a time per resource. */
export function resourceObject<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  cell: string,
): VirtualObject {
  return {
    name: objectName(cell),
    execute: ({ marketplace, operationId, epoch }: ExecutionRequest) =>
      executeOnce(app, sagas, systemCall(marketplace), { operationId, epoch }).catch(waitUntilOpen),
    // Long enough for waiting callers. Everything else worth keeping is in PostgreSQL.
    retentionSeconds: 600,
  };
}

const RECOVERING_MS = 5000;

/** Other errors make Restate call again at once, and give up in the end. */
function waitUntilOpen(error: unknown): HandlerResult {
  if (!isRecovering(error)) throw error;
  return { kind: 'again', inMs: RECOVERING_MS };
}

/** All workers of one Restate serve the same objects. */
export async function serveRestate(
  { log }: Pick<Transactor, 'log'>,
  objects: readonly [VirtualObject, ...VirtualObject[]],
  settings: EndpointSettings,
): Promise<RunningEndpoint> {
  const attempts = new Set<Promise<HandlerResult>>();
  const tracked = ({ execute }: VirtualObject) => {
    return (request: never) => {
      const attempt = execute(request);
      attempts.add(attempt);
      const remove = () => attempts.delete(attempt);
      attempt.then(remove, remove);
      return attempt;
    };
  };
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(
    createEndpointHandler({
      services: [
        ...objects.map((each) => restateObject({ ...each, execute: tracked(each) })),
        markObject(settings.cell, RETRY),
      ],
      logger: logTo(log),
      ...(settings.identityKeys.length > 0 ? { identityKeys: [...settings.identityKeys] } : {}),
    }),
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const url = await listen(server, settings);
  const registration = maintainRegistration(log, {
    adminUrl: settings.adminUrl,
    service: objects[0].name,
    workerUrl: settings.workerUrl ?? url,
  });
  return {
    url,
    registered: registration.registered,
    stop: async () => {
      await registration.stop();
      server.close();
      for (const { stop } of objects) stop?.();
      for (const session of sessions) session.close();
      await Promise.allSettled(attempts);
      for (const session of sessions) session.destroy();
    },
  };
}

/**
 * Of every handler. Restate retries at once when a worker died, and soon when none could be
 * reached. Its own policy would wait up to a minute, and in the end pause an invocation for good.
 */
const RETRY = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 2000,
  // Then the caller starts over; a stuck invocation would block its object.
  maxAttempts: 50,
  onMaxAttempts: 'kill',
} as const;

function restateObject({ name, execute, retentionSeconds }: VirtualObject) {
  const options = {
    retryPolicy: RETRY,
    idempotencyRetention: { seconds: retentionSeconds },
    journalRetention: 0,
    inactivityTimeout: { minutes: 5 },
    abortTimeout: { minutes: 30 },
  };
  return object({
    name,
    handlers: {
      [HANDLER]: handlers.object.exclusive(
        options,
        async (context: ObjectContext, request: unknown): Promise<HandlerResult> => {
          const result = await context.run(HANDLER, () => execute(request as never));
          if ('inMs' in result) sendLater(context, name, request, result.inMs);
          return result;
        },
      ),
    },
  });
}

/**
 * Sends the object a delayed message. The row decides when it is due; this only triggers a check.
 */
function sendLater(
  context: ObjectContext,
  service: string,
  parameter: unknown,
  delay: number,
): void {
  const inputSerde = serde.json as Serde<unknown>;
  context.genericSend({ service, method: HANDLER, key: context.key, parameter, inputSerde, delay });
}

async function listen(server: Http2Server, { host, port }: EndpointSettings): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort: port !== 0 }, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Logs Restate's messages: bad ones about an invocation as warnings, all others as debug. */
function logTo(log: Log) {
  return ({ level, context }: LogMetadata, message?: unknown, ...more: unknown[]) => {
    const text = [message, ...more].map(String).join(' ');
    const fields = { invocationId: context?.invocationId, text };
    const isBad = level === 'error' || level === 'warn';
    if (isBad && context !== undefined) log.warn(fields, 'engine message received');
    else log.debug(fields, 'engine message received');
  };
}
