//! Health of the components: polled at intervals, reported as up or down, without detail.
import type { HealthDetailView } from '@holdfast/contract/records';
import type { Clock, Instant } from '@holdfast/kernel/clock';

/** True for up, false for down, null where the component is switched off. */
export type Probe = () => Promise<boolean | null>;

const CACHE_MS = 5000;
const PROBE_MS_MAX = 2000;

export interface Health {
  check(): Promise<HealthDetailView>;
  /** Ready for requests: every component that is switched on is up. */
  isReady(): Promise<boolean>;
}

export function watchHealth(
  version: string,
  clock: Clock,
  probes: Readonly<Record<string, Probe>>,
  cacheMs = CACHE_MS,
): Health {
  const startedAt = clock.now();
  let last: { at: Instant; health: Promise<HealthDetailView> } | undefined;

  const checkNow = async (): Promise<HealthDetailView> => {
    const checks = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const started = clock.now();
        const late = new Promise<boolean>((resolve) =>
          setTimeout(resolve, PROBE_MS_MAX, false).unref(),
        );
        const isUp = await Promise.race([probe().catch(() => false), late]);
        const status = isUp === null ? 'off' : isUp ? 'ok' : 'down';
        return [name, { status, latencyMs: isUp === null ? null : clock.now() - started }] as const;
      }),
    );
    return {
      status: checks.some(([, { status }]) => status === 'down') ? 'degraded' : 'ok',
      version,
      uptimeSeconds: Math.floor((clock.now() - startedAt) / 1000),
      checks: Object.fromEntries(checks),
    };
  };

  const check = () => {
    if (last === undefined || clock.now() - last.at > cacheMs)
      last = { at: clock.now(), health: checkNow() };
    return last.health;
  };
  return { check, isReady: async () => (await check()).status === 'ok' };
}
