//! Registers the workers' address with Restate, at start and whenever Restate has lost it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/process/log.ts';

export interface Registration {
  readonly adminUrl: string;
  readonly service: string;
  readonly workerUrl: string;
}

const REQUEST_TIMEOUT_MS = 5000;
const RETRY_DELAY_MS = 250;
const CHECK_INTERVAL_MS = 2000;

export function maintainRegistration(
  log: Log,
  registration: Registration,
): { readonly registered: Promise<void>; stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();
  const loop = async () => {
    // Registers at least once: the known address of the service may be gone.
    for (let isKnown = false; !signal.aborted; ) {
      if (isKnown) isKnown = await hasService(registration, signal);
      else isKnown = await register(log, registration, signal);
      if (isKnown) first.resolve();
      await sleep(isKnown ? CHECK_INTERVAL_MS : RETRY_DELAY_MS, undefined, { signal }).catch(
        () => null,
      );
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
 * Uses force: the same address with a new build has the same thin handler, which can continue the
 * old build's work. A new address can too. Restate would retry started invocations at their first
 * address forever, so every earlier address of this service is moved to the new one.
 */
async function register(
  log: Log,
  registration: Registration,
  signal: AbortSignal,
): Promise<boolean> {
  const { workerUrl } = registration;
  const callAdmin = adminClient(registration, signal);
  const deployment = { uri: workerUrl, force: true };
  try {
    const earlier = await listOtherDeployments(callAdmin, registration);
    // Nothing is moved to an address where Restate reaches no worker.
    if (earlier.length > 0)
      await callAdmin('POST', '/deployments', { ...deployment, dry_run: true });
    for (const { id } of earlier)
      await callAdmin('PATCH', `/deployments/${id}`, { uri: workerUrl });
    await callAdmin('POST', '/deployments', deployment);
    log.info({ workerUrl, moved: earlier.map(({ uri }) => uri) }, 'worker registered');
    return true;
  } catch (error) {
    if (error instanceof AdminRefusal)
      log.warn({ workerUrl, err: error }, 'worker registration refused');
    else log.debug({ workerUrl, err: error }, 'worker registration failed');
    return false;
  }
}

interface Deployment {
  readonly id: string;
  readonly uri: string;
  readonly services: readonly { readonly name: string }[];
}

async function listOtherDeployments(
  callAdmin: ReturnType<typeof adminClient>,
  { service, workerUrl }: Registration,
): Promise<Deployment[]> {
  const { deployments } = (await callAdmin('GET', '/deployments')) as { deployments: Deployment[] };
  const { href } = new URL(workerUrl);
  return deployments.filter(
    ({ uri, services }) =>
      services.some(({ name }) => name === service) && new URL(uri).href !== href,
  );
}

class AdminRefusal extends Error {}

function adminClient({ adminUrl }: Registration, signal: AbortSignal) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${adminUrl}${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const text = await response.text();
    if (!response.ok) throw new AdminRefusal(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** False only when Restate says so: an unavailable one may come back unchanged. */
async function hasService(
  { adminUrl, service }: Registration,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const response = await fetch(`${adminUrl}/services/${service}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status !== 404;
  } catch {
    return true;
  }
}
