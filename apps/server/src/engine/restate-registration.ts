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
 * whatever the old one began.
 */
async function register(
  log: Log,
  { adminUrl, workerUrl }: Registration,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const answer = await fetch(`${adminUrl}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: workerUrl, force: true }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS_MAX)]),
    });
    const text = await answer.text();
    if (answer.ok) log.info({ workerUrl }, 'register worker');
    else log.warn({ workerUrl, status: answer.status, text }, 'fail registration');
    return answer.ok;
  } catch (error) {
    log.debug({ workerUrl, reason: (error as Error).message }, 'fail registration');
    return false;
  }
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
