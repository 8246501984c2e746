//! Whether anything answers at an address. What it answers is not looked at: a provider that
//! refuses a stranger is there.
import type { Probe } from '../platform/health.ts';

const ANSWER_MS_MAX = 2000;

/** Switched off where no address is configured. */
export function reachable(url: string | undefined): Probe {
  return async () => {
    if (url === undefined) return null;
    const answer = await fetch(url, { method: 'GET', signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    await answer.body?.cancel();
    return answer.status < 500;
  };
}
