//! Tells Restate where the workers are, at start and again whenever it has forgotten.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';

export interface Registration {
  readonly adminUrl: string;
  readonly service: string;
  readonly workerUrl: string;
}

const ASK_MS_MAX = 5000;
const TRY_AGAIN_MS = 250;
const LOOK_EVERY_MS = 2000;

export function keepRegistered(
  log: Log,
  registration: Registration,
): { readonly registered: Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();
  const loop = async () => {
    // Always once: the service may be known at an address that is gone.
    for (let isKnown = false; !signal.aborted; ) {
      if (isKnown) isKnown = await hasService(registration, signal);
      else isKnown = await register(log, registration, signal);
      if (isKnown) first.resolve();
      await sleep(isKnown ? LOOK_EVERY_MS : TRY_AGAIN_MS, undefined, { signal }).catch(() => null);
    }
    first.resolve();
  };
  const ended = loop();
  return {
    registered: first.promise,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * With force: the same address again is a new build of the same thin handler, which may go on with
 * whatever the old one began. So may one at a new address: what Restate has begun it would ask for
 * where it began it, for ever, so every earlier address of this service is moved to the new one.
 */
async function register(
  log: Log,
  registration: Registration,
  signal: AbortSignal,
): Promise<boolean> {
  const { workerUrl } = registration;
  const ask = asker(registration, signal);
  const here = { uri: workerUrl, force: true };
  try {
    const earlier = await listElsewhere(ask, registration);
    // Nothing is moved to where Restate finds nobody.
    if (earlier.length > 0) await ask('POST', '/deployments', { ...here, dry_run: true });
    for (const { id } of earlier) await ask('PATCH', `/deployments/${id}`, { uri: workerUrl });
    await ask('POST', '/deployments', here);
    log.info({ workerUrl, moved: earlier.map(({ uri }) => uri) }, 'register worker');
    return true;
  } catch (error) {
    const { message: reason } = error as Error;
    if (error instanceof AdminRefusal) log.warn({ workerUrl, reason }, 'fail registration');
    else log.debug({ workerUrl, reason }, 'fail registration');
    return false;
  }
}

interface Deployment {
  readonly id: string;
  readonly uri: string;
  readonly services: readonly { readonly name: string }[];
}

async function listElsewhere(
  ask: ReturnType<typeof asker>,
  { service, workerUrl }: Registration,
): Promise<Deployment[]> {
  const { deployments } = (await ask('GET', '/deployments')) as { deployments: Deployment[] };
  const { href } = new URL(workerUrl);
  return deployments.filter(
    ({ uri, services }) =>
      services.some(({ name }) => name === service) && new URL(uri).href !== href,
  );
}

class AdminRefusal extends Error {}

function asker({ adminUrl }: Registration, signal: AbortSignal) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${adminUrl}${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS_MAX)]),
    });
    const text = await answer.text();
    if (!answer.ok) throw new AdminRefusal(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}

/** False only when Restate says so: one that is away may come back as it was. */
async function hasService(
  { adminUrl, service }: Registration,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const answer = await fetch(`${adminUrl}/services/${service}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS_MAX)]),
    });
    await answer.body?.cancel();
    return answer.status !== 404;
  } catch {
    return true;
  }
}
