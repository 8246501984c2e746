//! The worker's side of Restate: an object per resource, and one handler that drives once.
//!
//! A whole drive is one journaled step. No step of a saga has a name in Restate's journal, so a new
//! build goes on with what an old one began, and a Restate that lost everything has lost nothing.
//!
//! Restate knows one address for all workers. On one machine they share a port (SO_REUSEPORT); on
//! several a balancer stands in front of them, and HOLDFAST_ENGINE_WORKER_URL names it.
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
import type { Config } from '../config.ts';
import { systemCall } from '../platform/call.ts';
import type { Log } from '../platform/log.ts';
import type { Transactor } from '../platform/transact.ts';
import { driveOnce } from './drive.ts';
import { keepRegistered } from './restate-registration.ts';
import { DRIVE, type DriveRequest, objectName } from './restate-service.ts';
import type { Sagas } from './saga.ts';

export interface EndpointSettings {
  readonly adminUrl: string;
  readonly host: string;
  /** 0 takes any free one, for a worker that is alone. */
  readonly port: number;
  /** Where Restate finds the workers, when it is not at that port of this machine. */
  readonly workerUrl: string | undefined;
  /** Of the Restate that may call; anyone may when there is none. */
  readonly identityKeys: readonly string[];
}

/** Undefined where nothing would call: no Restate is configured. */
export function endpointSettings(config: Config): EndpointSettings | undefined {
  const { HOLDFAST_ENGINE_ADMIN_URL: adminUrl } = config;
  if (adminUrl === undefined) return undefined;
  return {
    adminUrl,
    host: config.HOLDFAST_HOST,
    port: config.HOLDFAST_ENGINE_PORT,
    workerUrl: config.HOLDFAST_ENGINE_WORKER_URL,
    identityKeys: config.HOLDFAST_ENGINE_IDENTITY_KEYS?.split(',') ?? [],
  };
}

export interface RunningEndpoint {
  readonly url: string;
  /** Resolves once Restate knows where to find it. */
  readonly registered: Promise<void>;
  /** Takes nothing new, and ends when what runs has ended. */
  stop(): Promise<void>;
}

/** What a drive came to; `again` has it asked once more after a while. */
type Driven = { readonly kind: 'again'; readonly inMs: number } | { readonly kind: string };

/** An object per key, one drive of each at a time; what it knows is in PostgreSQL. */
export interface DrivenObject {
  readonly name: string;
  readonly drive: (request: never) => Promise<Driven>;
  /** How long Restate knows a message by its idempotency key. */
  readonly remembersSeconds: number;
  /** Has drives that take long come to their end. */
  readonly stop?: () => void;
}

/** The object that drives operations, one resource at a time. */
export function resourceObject<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  cell: string,
): DrivenObject {
  return {
    name: objectName(cell),
    drive: ({ marketplace, operationId, epoch }: DriveRequest) =>
      driveOnce(app, sagas, systemCall(marketplace), { operationId, epoch }),
    // Long enough for whoever waits. All else that is worth keeping is in PostgreSQL.
    remembersSeconds: 600,
  };
}

/** All workers of one Restate serve the same objects. */
export async function serveRestate(
  { log }: Pick<Transactor, 'log'>,
  objects: readonly [DrivenObject, ...DrivenObject[]],
  settings: EndpointSettings,
): Promise<RunningEndpoint> {
  const drives = new Set<Promise<Driven>>();
  const counted = ({ drive }: DrivenObject) => {
    return (request: never) => {
      const turn = drive(request);
      drives.add(turn);
      const forget = () => drives.delete(turn);
      turn.then(forget, forget);
      return turn;
    };
  };
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(
    createEndpointHandler({
      services: objects.map((each) => restateObject({ ...each, drive: counted(each) })),
      logger: logTo(log),
      ...(settings.identityKeys.length > 0 ? { identityKeys: [...settings.identityKeys] } : {}),
    }),
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const url = await listen(server, settings);
  const registration = keepRegistered(log, {
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
      await Promise.allSettled(drives);
      for (const session of sessions) session.destroy();
    },
  };
}

/** Restate tries again at once what died with its worker, and soon what could not be reached. */
const RETRY = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 2000,
  // Then it gives up, and the sweeper begins anew: one that stayed would bar its resource.
  maxAttempts: 50,
  onMaxAttempts: 'kill',
} as const;

function restateObject({ name, drive, remembersSeconds }: DrivenObject) {
  const options = {
    retryPolicy: RETRY,
    idempotencyRetention: { seconds: remembersSeconds },
    journalRetention: 0,
    inactivityTimeout: { minutes: 5 },
    abortTimeout: { minutes: 30 },
  };
  return object({
    name,
    handlers: {
      [DRIVE]: handlers.object.exclusive(
        options,
        async (context: ObjectContext, request: unknown): Promise<Driven> => {
          const answer = await context.run(DRIVE, () => drive(request as never));
          if ('inMs' in answer) sendLater(context, name, request, answer.inMs);
          return answer;
        },
      ),
    },
  });
}

/** To itself, after a while. The row says when it is due; this only says when to look. */
function sendLater(
  context: ObjectContext,
  service: string,
  parameter: unknown,
  delay: number,
): void {
  const inputSerde = serde.json as Serde<unknown>;
  context.genericSend({ service, method: DRIVE, key: context.key, parameter, inputSerde, delay });
}

async function listen(server: Http2Server, { host, port }: EndpointSettings): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, reusePort: port !== 0 }, resolve);
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** Restate's own words, where they matter. */
function logTo(log: Log) {
  return ({ level, context }: LogMetadata, message?: unknown, ...more: unknown[]) => {
    const text = [message, ...more].map(String).join(' ');
    const fields = { invocationId: context?.invocationId, text };
    const isBad = level === 'error' || level === 'warn';
    if (isBad && context !== undefined) log.warn(fields, 'hear engine');
    else log.debug(fields, 'hear engine');
  };
}
