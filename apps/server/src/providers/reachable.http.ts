//! Checks that a server responds at an address. The response itself does not matter: a provider
//! that refuses an unknown caller is up.
import type { Probe } from '../platform/process/health.ts';

const RESPONSE_TIMEOUT_MS = 2000;

/** Off where no address is configured. */
export function reachable(url: string | undefined): Probe {
  return async () => {
    if (url === undefined) return null;
    const response = await fetch(url, {
      method: 'GET',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status < 500;
  };
}
