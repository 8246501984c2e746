//! Authentication and rate limit of the escrow provider.
import type { IncomingMessage } from 'node:http';
import type { World } from '../world.ts';
import { ApiRefusal } from './api-refusal.ts';

/** Kept as ('settings', 'escrow'); absent parts have the vendor's own values. */
export interface EscrowSettings {
  /** Keys that are accepted; any key is when this is absent. */
  readonly apiKeys?: readonly string[];
  /** How long a built transaction stays valid. */
  readonly validSeconds?: number;
}

export function settingsOf(world: World): EscrowSettings {
  return world.store.get<EscrowSettings>('settings', 'escrow') ?? {};
}

const REQUESTS_MAX = 50;
const WINDOW_MS = 60_000;

/** When each key called last: a rate need not survive a restart. */
type Arrivals = Map<string, number[]>;
const arrivals = new WeakMap<World, Arrivals>();

export function admit(world: World, request: IncomingMessage): void {
  const key = request.headers['x-api-key'];
  const { apiKeys } = settingsOf(world);
  const isKnown = typeof key === 'string' && key !== '' && (apiKeys?.includes(key) ?? true);
  if (!isKnown) throw new ApiRefusal(401, 'Unauthorized');
  if (world.store.get<boolean>('limits', 'escrow') === true) checkRate(world, key);
}

function checkRate(world: World, key: string): void {
  const known: Arrivals = arrivals.get(world) ?? new Map();
  arrivals.set(world, known);
  const now = world.clock.now();
  const recent = (known.get(key) ?? []).filter((at) => at > now - WINDOW_MS);
  const [first = now] = recent;
  if (recent.length >= REQUESTS_MAX) {
    const seconds = Math.ceil((first + WINDOW_MS - now) / 1000);
    throw new ApiRefusal(429, 'ThrottlerException: Too Many Requests', {
      'retry-after': String(seconds),
    });
  }
  known.set(key, [...recent, now]);
}
