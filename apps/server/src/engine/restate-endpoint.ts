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
import type { DriveAnswer, Sagas } from './saga.ts';

export interface EndpointSettings {
  readonly adminUrl: string;
  readonly cell: string;
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
    cell: config.HOLDFAST_CELL,
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

export async function serveRestate<A extends Transactor>(
  app: A,
  sagas: Sagas<A>,
  settings: EndpointSettings,
): Promise<RunningEndpoint> {
  const drives = new Set<Promise<DriveAnswer>>();
  const drive = ({ marketplace, operationId, epoch }: DriveRequest) => {
    const turn = driveOnce(app, sagas, systemCall(marketplace), { operationId, epoch });
    drives.add(turn);
    const forget = () => drives.delete(turn);
    turn.then(forget, forget);
    return turn;
  };
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer(
    createEndpointHandler({
      services: [resourceObject(objectName(settings.cell), drive)],
      logger: logTo(app.log),
      ...(settings.identityKeys.length > 0 ? { identityKeys: [...settings.identityKeys] } : {}),
    }),
  );
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const url = await listen(server, settings);
  const registration = keepRegistered(app.log, {
    adminUrl: settings.adminUrl,
    service: objectName(settings.cell),
    workerUrl: settings.workerUrl ?? url,
  });
  return {
    url,
    registered: registration.registered,
    stop: async () => {
      await registration.stop();
      server.close();
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

function resourceObject(name: string, drive: (request: DriveRequest) => Promise<DriveAnswer>) {
  const options = {
    retryPolicy: RETRY,
    // Long enough for whoever waits. All else that is worth keeping is in PostgreSQL.
    idempotencyRetention: { minutes: 10 },
    journalRetention: 0,
    inactivityTimeout: { minutes: 5 },
    abortTimeout: { minutes: 30 },
  };
  return object({
    name,
    handlers: {
      [DRIVE]: handlers.object.exclusive(
        options,
        async (context: ObjectContext, request: DriveRequest): Promise<DriveAnswer> => {
          const answer = await context.run(DRIVE, () => drive(request));
          if (answer.kind === 'again') sendLater(context, name, request, answer.inMs);
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
  parameter: DriveRequest,
  delay: number,
): void {
  const inputSerde = serde.json as Serde<DriveRequest>;
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
