//! How the parts are: looked at once in a while, told without detail, never more than up or down.
import type { HealthDetailView } from '@holdfast/contract/records';
import type { Clock, Instant } from '@holdfast/kernel/clock';

/** True for up, false for down, null where the part is switched off. */
export type Probe = () => Promise<boolean | null>;

const BELIEVED_MS = 5000;
const PROBE_MS_MAX = 2000;

export interface Health {
  look(): Promise<HealthDetailView>;
  /** Fit to take requests: everything that is on is up. */
  isReady(): Promise<boolean>;
}

export function watchHealth(
  version: string,
  clock: Clock,
  probes: Readonly<Record<string, Probe>>,
): Health {
  const startedAt = clock.now();
  let last: { at: Instant; health: Promise<HealthDetailView> } | undefined;

  const lookNow = async (): Promise<HealthDetailView> => {
    const checks = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const begun = clock.now();
        const late = new Promise<boolean>((resolve) =>
          setTimeout(resolve, PROBE_MS_MAX, false).unref(),
        );
        const isUp = await Promise.race([probe().catch(() => false), late]);
        const status = isUp === null ? 'off' : isUp ? 'ok' : 'down';
        return [name, { status, latencyMs: isUp === null ? null : clock.now() - begun }] as const;
      }),
    );
    return {
      status: checks.some(([, { status }]) => status === 'down') ? 'degraded' : 'ok',
      version,
      uptimeSeconds: Math.floor((clock.now() - startedAt) / 1000),
      checks: Object.fromEntries(checks),
    };
  };

  const look = () => {
    if (last === undefined || clock.now() - last.at > BELIEVED_MS)
      last = { at: clock.now(), health: lookNow() };
    return last.health;
  };
  return { look, isReady: async () => (await look()).status === 'ok' };
}
