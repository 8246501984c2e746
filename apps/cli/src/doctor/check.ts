//! What a check of `doctor` is: a look at one thing, and what was found.
import type { Surroundings } from './surroundings.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULTS = {
  'server-down': 'nothing answers where the server should be',
  'port-taken': "another program listens at the server's port",
  'wrong-secret': 'a key or a webhook secret is not the one that the other side has',
  'database-down': 'PostgreSQL does not answer',
  'migration-pending': 'the database is older than this build',
  'rls-off': 'row-level security does not bind the server: marketplaces could see each other',
  'redis-down': 'Redis is configured and does not answer',
  'engine-down': 'Restate does not answer, or knows no worker',
  'clock-skew': 'two clocks differ by more than signatures and time bounds can bear',
  'missing-trustline': 'a wallet of the house cannot hold USDC',
  'provider-down': 'a provider does not answer',
  'provider-401': 'a provider does not accept our key',
  'stream-buffered': 'something between here and the server keeps events back',
} as const;

export type FaultName = keyof typeof FAULTS;

export type Finding =
  | { readonly status: 'ok' | 'skipped'; readonly says: string }
  | {
      readonly status: 'fault';
      readonly fault: FaultName;
      readonly says: string;
      /** What to do about it. */
      readonly cure: string;
    };

export interface Check {
  readonly name: string;
  /** Not looked at when the server itself is not there. */
  readonly needsServer: boolean;
  look(surroundings: Surroundings): Promise<Finding>;
}

export const fine = (says: string): Finding => ({ status: 'ok', says });
export const skipped = (says: string): Finding => ({ status: 'skipped', says });
export const faulty = (fault: FaultName, says: string, cure: string): Finding => ({
  status: 'fault',
  fault,
  says,
  cure,
});

/** What a failed connection says of itself, in a few words. */
export function reasonOf(error: unknown): string {
  const { cause, code, message, name } = error as Error & { readonly code?: string };
  if (name === 'TimeoutError' || name === 'AbortError') return 'no answer in time';
  const inner = cause as (Error & { readonly code?: string }) | undefined;
  const known = code ?? inner?.code;
  if (known === 'ECONNREFUSED') return 'connection refused';
  if (known === 'ENOTFOUND') return 'no such host';
  return (inner?.message || message || String(known)).split('\n')[0] ?? '';
}

/** The first line of a sentence of several faults. */
export const listText = (parts: readonly string[]): string => parts.join('; ');
