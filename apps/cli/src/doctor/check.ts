//! The type of a `doctor` check and of its findings.
import type { Surroundings } from './surroundings.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULTS = {
  'server-down': 'no server responds at the URL',
  'port-taken': 'no valid response from Holdfast at the URL; another program may use its port',
  'wrong-secret': "a key or webhook secret does not match the server's",
  'database-down': 'PostgreSQL does not respond',
  'migration-pending': 'the database is older than this build',
  'rls-off': 'row-level security does not apply to the server: marketplaces are not isolated',
  'redis-down': 'Redis is configured but does not respond',
  'engine-down': 'Restate does not respond, or has no worker',
  'clock-skew': 'clocks differ by more than signatures and time bounds allow',
  'missing-trustline': 'a platform wallet cannot hold USDC',
  'provider-down': 'a provider does not respond',
  'provider-401': 'a provider rejects the key',
  'stream-buffered': 'a proxy buffers the event stream',
  'secret-file': 'a file of a secret is missing, empty or not readable',
  'service-links': 'Kubernetes adds variables of services to the settings',
  'short-grace': 'the host kills a process before it can have ended',
  'internal-port': 'the internal port does not respond',
} as const;

export type FaultName = keyof typeof FAULTS;

export type Finding =
  | { readonly status: 'ok' | 'skipped'; readonly message: string }
  | {
      readonly status: 'fault';
      readonly fault: FaultName;
      readonly message: string;
      /** What to do about it. */
      readonly fix: string;
    };

export interface Check {
  readonly name: string;
  /** Skipped when the server itself is down. */
  readonly needsServer: boolean;
  run(surroundings: Surroundings): Promise<Finding>;
}

export const fine = (message: string): Finding => ({ status: 'ok', message });
export const skipped = (message: string): Finding => ({ status: 'skipped', message });
export const faulty = (fault: FaultName, message: string, fix: string): Finding => ({
  status: 'fault',
  fault,
  message,
  fix,
});

/** Why a connection failed, in a few words. */
export function reasonOf(error: unknown): string {
  const { cause, code, message, name } = error as Error & { readonly code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timed out';
  const inner = cause as (Error & { readonly code?: string }) | undefined;
  const known = code ?? inner?.code;
  if (known === 'ECONNREFUSED') return 'connection refused';
  if (known === 'ENOTFOUND') return 'no such host';
  return (inner?.message || message || String(known)).split('\n')[0] ?? '';
}

/** The first line of a sentence of several faults. */
export const listText = (parts: readonly string[]): string => parts.join('; ');
